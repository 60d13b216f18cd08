import { buffer } from 'node:stream/consumers';
import type { Context } from 'koa';
import type { z } from 'zod';
import { ApiError, invalidField } from '../errors/errors.ts';
import type { DeskMiddleware } from './desk-state.ts';
import { readBody } from './read-body.ts';
import { readJson } from './read-json.ts';

/** Parses a JSON body and validates it; a handler gets it from `bodyOf(ctx, schema)`. */
export function body(schema: z.ZodType): DeskMiddleware & { schema: z.ZodType } {
  const middleware: DeskMiddleware = async (ctx, next) => {
    const json = await readJson(ctx);
    ctx.state.body = checked(schema, json === undefined ? {} : json, 'body');
    await next();
  };
  return Object.assign(middleware, { schema });
}

/** The body that `body(schema)` has validated. */
export function bodyOf<T>(ctx: Pick<Context, 'state'>, _schema: z.ZodType<T>): T {
  return ctx.state.body as T;
}

/** The query of a request, validated with `schema`. */
export function queryOf<T>(ctx: Pick<Context, 'query'>, schema: z.ZodType<T>): T {
  return checked(schema, { ...ctx.query }, 'query');
}

/** Validates `value`. @throws invalidRequest with the path of the first invalid field, or `whole`, and the reason. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, whole: string): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidField(fieldOf(parsed.error) || whole, parsed.error.issues[0]);
}

/** The same for a part of a larger document: the path begins with `field`, that of the part. */
export function checkedItem<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidField(fieldOf(parsed.error, field), parsed.error.issues[0]);
}

/** Path of the first invalid or unknown field, cut because the client chose it. */
function fieldOf({ issues: [issue] }: z.ZodError, ...before: string[]): string {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...before, ...(issue?.path ?? []), ...unknown].join('.').slice(0, 100).toWellFormed();
}

/** A question of 8,000 characters, each of which may take 12 bytes. */
const MAX_BYTES = 128 * 1024;

/** Parses the fields of an HTML form and validates them with `schema`. The handler gets them from `bodyOf(ctx, schema)`. */
export function form(schema: z.ZodType): DeskMiddleware {
  return async (ctx, next) => {
    if (!ctx.is('application/x-www-form-urlencoded')) throw new ApiError('unsupported_type');
    const whole = await buffer(readBody(ctx, { maxBytes: MAX_BYTES }));
    const fields = new URLSearchParams(whole.toString('utf8'));
    // Browsers send CRLF for every line break.
    const values = [...fields].map(([name, value]) => [name, value.replace(/\r\n/g, '\n')] as const);
    ctx.state.body = checked(schema, Object.fromEntries(values), 'body');
    await next();
  };
}
