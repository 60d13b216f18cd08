import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ErrorBody } from '../contract/error-body.ts';
import { operations } from '../contract/operations.ts';

const known = Object.entries(operations)
  .map(([call, { replies, events }]) => {
    const [method = '', path = ''] = call.split(' ');
    const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`);
    return { call, method, pattern, replies, events, parameters: path.split(':').length };
  })
  // 'GET /api/inbox/summary' comes before 'GET /api/inbox/:id'.
  .sort((a, b) => a.parameters - b.parameters);

/** @throws unless the response has a status and a body that the contract's operation describes, without further fields. */
export function checkReply(method: string, path: string, status: number, body: unknown): void {
  const { pathname } = new URL(path, 'http://desk');
  const found = known.find((one) => one.method === method && one.pattern.test(pathname));
  if (!found) return;
  const { call, replies } = found;
  const reply = status >= 400 ? ErrorBody : replies[status];
  if (reply === undefined) throw new Error(`${call} has no response ${status} in the contract`);
  if (reply instanceof z.ZodType) compare(`${call}, ${status}`, reply, body);
  else if (reply === null && body !== null) throw new Error(`${call} ${status} must have no body`);
}

function compare(what: string, schema: z.ZodType, body: unknown): void {
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new Error(`${what} is not as the contract says: ${z.prettifyError(parsed.error)}\n${shown(body)}`);
  // Parsing removes fields that the schema does not have.
  if (!isDeepStrictEqual(parsed.data, body))
    throw new Error(
      `${what} differs from the contract\nsent: ${shown(body)}\ncontract: ${shown(parsed.data)}`,
    );
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 3000);
}
