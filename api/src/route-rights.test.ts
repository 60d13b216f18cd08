import { createHash, randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import Router from '@koa/router';
import { Types } from 'mongoose';
import { createRouteGuard } from './accounts/guard-routes.ts';
import { createRights, rightsOfRole } from './accounts/rights.ts';
import type { ErrorBody } from './contract/error-body.ts';
import type { Access } from './contract/operation.ts';
import { operations } from './contract/operations.ts';
import { Role } from './contract/rights.ts';
import { clientDisconnected } from './http/client-disconnect.ts';
import type { DeskRouter } from './http/desk-state.ts';
import { registeredRoutes } from './testing/registered-routes.ts';
import { startTestApi } from './testing/start-test-api.ts';
import { createVisitor, type Visitor } from './testing/visitor.ts';

const calls = registeredRoutes()
  .map(({ call }) => call)
  .filter((call) => / \/(api|admin|ops)(\/|$)/.test(call));

function mayCall(role: Role, access: Access): boolean {
  if (access === 'account' || access === 'reader') return role !== 'visitor';
  if (access === 'anyone' || access === 'link') return true;
  // None of these accounts is named as an editor of a collection.
  if (access === 'edit_collection') return rightsOfRole[role].includes('edit_knowledge');
  return access !== 'token' && rightsOfRole[role].includes(access);
}

const accounts = new Map<Role, Types.ObjectId>();

const api = await startTestApi({ config: { opsToken: 'the-token-of-operations' } });
const users = Role.options
  .filter((role) => role !== 'visitor')
  .map((role) => ({
    _id: new Types.ObjectId(),
    username: role,
    nameKey: role,
    passwordHash: '',
    roles: role === 'member' ? null : [role],
    createdAt: new Date(),
    deletedAt: null,
  }));
for (const { _id, nameKey } of users) accounts.set(nameKey, _id);
await api.connection.collection('users').insertMany(users);
afterAll(() => api?.end());

/** A new session for each call, since some calls end it. */
async function as(role: Role): Promise<Visitor> {
  const visitor = createVisitor(api.url);
  const userId = accounts.get(role);
  if (!userId) {
    await visitor.call('GET', '/api/usage');
    return visitor;
  }
  visitor.token = randomBytes(32).toString('base64url');
  const now = Date.now();
  await api.connection.collection('sessions').insertOne({
    tokenHash: createHash('sha256').update(visitor.token).digest('base64url'),
    userId,
    device: '',
    createdAt: new Date(now),
    lastUsedAt: new Date(now),
    expiresAt: new Date(now + 600_000),
  });
  return visitor;
}

/** Whether the call gets past the question of who may make it: what it then lacks is of no interest. */
async function isAllowed(role: Role, call: string): Promise<boolean> {
  const [method = '', path = ''] = call.split(' ');
  const filled = path.replace(/[:*]\w+/g, '0'.repeat(24)).replace(/\{[^}]*\}/g, '');
  const end = new AbortController();
  const visitor = await as(role);
  const response = await visitor.fetch(method, filled, { signal: end.signal, redirect: 'manual' });
  if (response.status !== 401 && response.status !== 403) {
    end.abort();
    return true;
  }
  const { error } = (await response.json()) as ErrorBody;
  expect(['forbidden', 'sign_in_required', 'ops_token_wrong']).toContain(error);
  return false;
}

test.each(Role.options)(
  'as %s, exactly the calls that the table names for the role are allowed',
  async (role) => {
    const seen: Record<string, boolean> = {};
    for (const call of calls) seen[call] = await isAllowed(role, call);
    expect(seen).toEqual(
      Object.fromEntries(calls.map((call) => [call, mayCall(role, operations[call]!.access)])),
    );
  },
);

test('an area stays closed even if a row of the table is wrong', () => {
  const accessOf = (pattern: RegExp) =>
    new Set(
      Object.keys(operations)
        .filter((call) => pattern.test(call))
        .map((call) => operations[call]?.access),
    );
  expect(accessOf(/ \/api\/inbox(?!\/summary)/)).toEqual(new Set(['answer_people']));
  expect(accessOf(/ \/api\/people/)).toEqual(new Set(['administer']));
  expect(accessOf(/ \/api\/settings(?!\/access)/)).toEqual(new Set(['administer']));
  expect(accessOf(/(POST|PUT|DELETE) \/api\/knowledge\/collections/)).toEqual(new Set(['administer']));
  expect(accessOf(/(PUT|PATCH|DELETE) \/api\/knowledge\/(documents|pairs)/)).toEqual(
    new Set(['edit_collection']),
  );
  expect(accessOf(/ \/api\/knowledge\/synonyms/)).toEqual(new Set(['edit_knowledge']));
  expect(accessOf(/ \/api\/knowledge\/(check|golden|export|import|unanswered)/)).toEqual(
    new Set(['edit_collection']),
  );
});

test('a route that the table does not name keeps the server from starting', () => {
  const identity = { identify: async () => undefined, needToken: async () => undefined };
  const guard = createRouteGuard({
    identity,
    rights: createRights({ editors: [] }),
    streams: { follow: clientDisconnected },
    requireSignIn: false,
    isEditor: async () => false,
  });
  const router: DeskRouter = new Router({ prefix: '/api' });
  router.get('/forgotten', () => undefined);
  expect(() => guard(router)).toThrow('GET /api/forgotten is not in the table of operations');
});

test('roles add their rights, and `*` in EDITORS opens the knowledge base alone', () => {
  const rights = createRights({ editors: [] });
  expect(rights.of(null)).toEqual(['ask']);
  expect(rights.of({ roles: ['agent', 'editor'] })).toEqual([
    'ask',
    'answer_people',
    'edit_knowledge',
    'see_all_reports',
  ]);
  const open = createRights({ editors: ['*'] });
  expect(open.of({})).toEqual(['ask', 'edit_knowledge']);
  expect(open.of({ roles: [] })).toEqual(['ask']);
  expect(open.of(null)).toEqual(['ask']);
});
