import { afterEach, expect, test } from '@jest/globals';
import { runAccounts } from '../cli/accounts/run-accounts.ts';
import type { EditorInfo } from '../contract/accounts.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Handover, InboxSummary } from '../contract/handover.ts';
import type { KnowledgeSummary } from '../contract/knowledge.ts';
import type { RecordStats } from '../contract/search.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const opsToken = 'the-token-of-operations';
const password = 'a long password';
const asOps = { Authorization: `Bearer ${opsToken}` };
const open: TestApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0).reverse()) await api.end();
});

async function start(editors: string[] = [], more: Partial<TestApiOptions> = {}): Promise<TestApi> {
  const api = await startTestApi({
    answerer: createScriptedAnswerer(),
    config: { editors, opsToken, logLevel: 'info' },
    onLog: () => undefined,
    ...more,
  });
  open.push(api);
  return api;
}

async function account(api: TestApi, name: string): Promise<Visitor> {
  const visitor = await signedUp(api.url, name, password);
  return visitor;
}

const isEditor = async (who: Visitor) =>
  (await who.call<KnowledgeSummary>('GET', '/api/knowledge')).body.isEditor;

/** Starts another server on the data of one that was closed. */
async function restart(api: TestApi, editors: string[]): Promise<TestApi> {
  await api.close();
  return start(editors, { dataDir: api.dataDir });
}

test('registering a name listed in EDITORS grants no right, now or after a restart', async () => {
  const api = await start(['editor1']);
  const first = await account(api, 'first');
  const squatter = await account(api, 'editor1');
  expect([await isEditor(first), await isEditor(squatter)]).toEqual([true, false]);
  const later = await restart(api, ['editor1']);
  const again = createVisitor(later.url);
  await again.signIn('editor1', password);
  expect(await isEditor(again)).toBe(false);
});

test('EDITORS grants the right to an existing account, and a new account with that name does not inherit it', async () => {
  const api = await start();
  await account(api, 'first');
  await account(api, 'Chosen');
  const later = await restart(api, ['ＣＨＯＳＥＮ']);
  const chosen = createVisitor(later.url);
  await chosen.signIn('chosen', password);
  expect(await isEditor(chosen)).toBe(true);
  await chosen.call('DELETE', '/admin/account', { password });
  expect(await isEditor(await account(later, 'chosen'))).toBe(false);
});

test('operators give, list and take the role of editors, and this is logged', async () => {
  const lines: string[] = [];
  const api = await start(['*'], { onLog: (line) => lines.push(line) });
  const first = await account(api, 'first');
  const other = await account(api, 'other');
  const ops = createVisitor(api.url);
  const change = (path: string, username: string) =>
    ops.call<EditorInfo & ErrorBody>('POST', `/ops/editors/${path}`, { username }, asOps);
  const list = async () =>
    (await ops.call<{ editors: EditorInfo[] }>('GET', '/ops/editors', undefined, asOps)).body.editors.map(
      ({ username }) => username,
    );

  expect((await change('grant', 'OTHER')).body).toMatchObject({ username: 'other', isEditor: true });
  expect(await list()).toEqual(['first', 'other']);
  const administrator = { username: 'first' };
  await ops.call('POST', '/ops/administrators/revoke', administrator, asOps);
  expect((await change('revoke', 'first')).body).toMatchObject({ username: 'first', isEditor: false });
  expect([await isEditor(first), await isEditor(other), await list()]).toEqual([false, true, ['other']]);
  expect((await change('grant', 'nobody')).body).toMatchObject({ code: 404, error: 'not_found' });

  const logged = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'permission_changed');
  // The first account became administrator.
  expect(logged).toHaveLength(4);
  for (const line of logged) expect(line).toMatchObject({ msg: 'security', account: expect.any(String) });
});

test('EDITORS=* is a right over knowledge alone: people are answered by named editors', async () => {
  const lines: string[] = [];
  const api = await start(['*'], { onLog: (line) => lines.push(line) });
  expect(lines.join()).toContain('EDITORS=*');
  const first = await account(api, 'first');
  const other = await account(api, 'other');
  const guest = createVisitor(api.url);
  const { body } = await guest.call<Handover>('POST', '/api/handovers', {
    question: 'call me',
    contactDetails: '+86 138 0000 1111',
    clientId: '1',
  });
  const refused = async (who: Visitor) => {
    const message = { text: 'I am the desk', clientId: '2' };
    const statuses = [
      await who.call('GET', '/api/inbox'),
      await who.call('GET', `/api/inbox/${body.id}`),
      await who.call('POST', `/api/inbox/${body.id}/messages`, message),
      await who.call('POST', `/api/inbox/${body.id}/take`),
    ].map(({ status }) => status);
    const { body: summary } = await who.call<InboxSummary>('GET', '/api/inbox/summary');
    const { body: stats } = await who.call<RecordStats>('POST', '/api/stats', {});
    return { statuses, open: summary.open, figures: stats.handovers };
  };
  expect(await isEditor(other)).toBe(true);
  expect(await refused(other)).toEqual({ statuses: [403, 403, 403, 403], open: null });
  expect(await refused(first)).toMatchObject({ statuses: [200, 200, 200, 200], open: 1, figures: {} });

  const ops = createVisitor(api.url);
  await ops.call('POST', '/ops/editors/grant', { username: 'other' }, asOps);
  expect((await other.call('GET', '/api/inbox')).status).toBe(200);
  await ops.call('POST', '/ops/editors/revoke', { username: 'other' }, asOps);
  expect((await other.call('GET', '/api/inbox')).status).toBe(403);
  expect(await isEditor(other)).toBe(false);
});

test('an administrator named by operators also answers people', async () => {
  const api = await start();
  await account(api, 'first');
  const other = await account(api, 'other');
  await createVisitor(api.url).call('POST', '/ops/administrators/grant', { username: 'other' }, asOps);
  expect([await isEditor(other), (await other.call('GET', '/api/inbox')).status]).toEqual([true, 200]);
});

test.each(['GET /ops/editors', 'POST /ops/editors/grant', 'POST /ops/editors/revoke'])(
  '%s is for operators only',
  async (call) => {
    const [method = '', path = ''] = call.split(' ');
    const api = await start();
    const first = await account(api, 'first');
    const body = method === 'POST' ? { username: 'first' } : undefined;
    expect((await first.call(method, path, body)).status).toBe(401);
    expect((await createVisitor(api.url).call(method, path, body)).status).toBe(401);
  },
);

test('npm run accounts: adds, lists and removes editors and administrators', async () => {
  const api = await start();
  await account(api, 'first');
  await account(api, 'other');
  const run = async (...argv: string[]) => {
    let output = '';
    const code = await runAccounts({
      argv,
      env: { DESK_URL: api.url, OPS_TOKEN: opsToken, LANG: 'en_US.UTF-8' },
      out: (text) => {
        output += text;
      },
      err: (text) => {
        output += text;
      },
    });
    return { code, output };
  };
  expect(await run('editor', 'add', 'other')).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^other \([0-9a-f]{24}\) may now change the knowledge base and answer people\n$/,
    ),
  });
  expect((await run('editor', 'list')).output).toMatch(/^first .*\nother .*\n$/);
  expect((await run('editor', 'remove', 'other', '--json')).output).toContain('"isEditor": false');
  expect(await run('editor', 'add', 'nobody')).toEqual({
    code: 1,
    output: 'There is no account with this user name\n',
  });
  expect((await run('admin', 'list')).output).toMatch(/^first .*\n$/);
  expect((await run('admin', 'add', 'other')).output).toMatch(/may now change the settings of the desk\n$/);
  expect((await run('admin', 'remove', 'first')).code).toBe(0);
  expect((await run('admin', 'list')).output).toMatch(/^other .*\n$/);
  await run('admin', 'remove', 'other');
  expect((await run('admin', 'list')).output).toBe('No account may change the settings of the desk\n');
  expect((await run('editor')).code).toBe(2);
  expect((await run('editor', 'ad', 'other')).code).toBe(2);
  expect((await run('editor', 'list', '--token', 'a-wrong-token')).code).toBe(3);
  const reader = { name: 'reader', scopes: ['read'], expiresAt: null };
  const made = await createVisitor(api.url).call<{ token: string }>('POST', '/ops/tokens', reader, asOps);
  expect((await run('editor', 'list', '--token', made.body.token)).code).toBe(3);
});
