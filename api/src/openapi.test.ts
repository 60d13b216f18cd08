import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { compareApis } from './cli/contract-package/compare-apis.ts';
import { describeApi, type Json } from './cli/contract-package/describe-api.ts';
import { readContract } from './cli/contract-package/read-contract.ts';
import { operations } from './contract/operations.ts';
import { registeredRoutes } from './testing/registered-routes.ts';
import { startTestApi } from './testing/start-test-api.ts';
import { createVisitor } from './testing/visitor.ts';

/** Every call of the API with the schema that its route validates the body with. */
const routes = registeredRoutes()
  .filter(({ call }) => /^\w+ \/(api|admin|ops)(\/|$)/.test(call))
  .map(({ call, stack }) => ({
    call,
    schema: stack
      .map((part) => Object.hasOwn(part as object, 'schema') && (part as { schema?: unknown }).schema)
      .find((schema) => schema),
  }));

const contract = await readContract(join(import.meta.dirname, '../..'));
const api = describeApi(contract, '1.0.0');

test('every route is described, and nothing else', () => {
  const calls = routes.map(({ call }) => call);
  // Answered by the router of the pages, which is not created here.
  expect([...calls, 'GET /ops/live'].sort()).toEqual(Object.keys(operations).sort());
});

test('routes validate bodies with the schemas that the description is made of', () => {
  const validated = routes.filter(({ schema }) => schema !== undefined);
  expect(validated.length).toBeGreaterThan(30);
  // What a release describes is checked by rules of the server as well.
  for (const { call, schema } of validated)
    if (call !== 'POST /ops/releases')
      expect({ call, same: operations[call]?.body === schema }).toEqual({ call, same: true });
});

test('the description is served to everyone, may be cached and matches this contract', async () => {
  const server = await startTestApi({});
  const visitor = createVisitor(server.url);
  const { body, headers } = await visitor.call<Json>('GET', '/api/openapi.json');
  const committed = await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8');
  expect(body).toEqual(JSON.parse(committed));
  expect(compareApis(body, api)).toEqual([]);
  expect(headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/);
  const again = await visitor.fetch('GET', '/api/openapi.json', {
    headers: { 'If-None-Match': headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
  await server.end();
});

/** The description after `change`. */
function changed(
  change: (copy: { paths: Record<string, Json>; components: { schemas: Record<string, Schema> } }) => void,
) {
  const copy = structuredClone(api) as never;
  change(copy);
  return compareApis(api, copy);
}

interface Schema {
  properties: Record<string, Json>;
  required: string[];
}

test.each<[string, string, boolean, Parameters<typeof changed>[0]]>([
  ['a call is removed', 'GET /api/records', true, ({ paths }) => delete paths['/api/records']],
  [
    'a field of a response is removed',
    'DELETE /api/conversations/{id}, response 200: matched',
    true,
    ({ components: { schemas } }) => delete schemas.ConversationDeletion?.properties.matched,
  ],
  [
    'a field of a response becomes optional',
    'DELETE /api/conversations/{id}, response 200: matched',
    true,
    ({ components: { schemas } }) => schemas.ConversationDeletion?.required.splice(0, 1),
  ],
  [
    'a field of a response may be null',
    'DELETE /api/conversations/{id}, response 200: matched',
    true,
    ({ components: { schemas } }) => {
      schemas.ConversationDeletion!.properties.matched = { type: ['number', 'null'] };
    },
  ],
  [
    'a response gets a further field',
    'DELETE /api/conversations/{id}, response 200: more',
    false,
    ({ components: { schemas } }) => {
      schemas.ConversationDeletion!.properties.more = {};
      schemas.ConversationDeletion!.required.push('more');
    },
  ],
  [
    'a request needs a further field',
    'POST /api/chat, request: more',
    true,
    ({ components: { schemas } }) => {
      schemas.ChatQuestion!.properties.more = {};
      schemas.ChatQuestion!.required.push('more');
    },
  ],
  [
    'a request may have a further field',
    'POST /api/chat, request: more',
    false,
    ({ components: { schemas } }) => {
      schemas.ChatQuestion!.properties.more = {};
    },
  ],
  [
    'a request may be shorter only',
    'POST /api/chat, request: text',
    true,
    ({ components: { schemas } }) => {
      schemas.ChatQuestion!.properties.text!.maxLength = 100;
    },
  ],
  [
    'a request may be longer',
    'POST /api/chat, request: text',
    false,
    ({ components: { schemas } }) => {
      schemas.ChatQuestion!.properties.text!.maxLength = 9000;
    },
  ],
])('if %s, the comparison says so', (_, place, isBreaking, change) => {
  const changes = changed(change);
  expect(changes.length).toBeGreaterThan(0);
  for (const one of changes) expect(one).toEqual({ place, what: expect.any(String), isBreaking });
});
