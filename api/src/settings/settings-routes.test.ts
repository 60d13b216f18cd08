import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AdministratorInfo } from '../contract/accounts.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { ModelList } from '../contract/models.ts';
import type {
  DeskInfo,
  DeskSettings,
  LogoReply,
  SettingsAccess,
  SettingsHistory,
  SettingsReply,
} from '../contract/settings.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { smallPng } from '../testing/small-png.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts';
import { createVisitor, type Reply, signedUp, type Visitor } from '../testing/visitor.ts';

const password = 'a long password';
const opsToken = 'the-token-of-operations';
const png = smallPng(8, 8);
const open: TestApi[] = [];
afterEach(async () => {
  for (const api of open.splice(0).reverse()) await api.end();
});

async function start(more: Partial<TestApiOptions> = {}): Promise<TestApi> {
  const api = await startTestApi({
    answerer: createScriptedAnswerer(),
    config: { opsToken, logLevel: 'info' },
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

const read = async (admin: Visitor) => (await admin.call<SettingsReply>('GET', '/api/settings')).body;
const put = (admin: Visitor, revision: number, settings: unknown) =>
  admin.call<SettingsReply & ErrorBody>('PUT', '/api/settings', { revision, settings });

/** Saves a change of the current settings. */
async function change(
  admin: Visitor,
  edit: (settings: DeskSettings) => void,
): Promise<Reply<SettingsReply & ErrorBody>> {
  const { revision, settings } = await read(admin);
  edit(settings);
  return put(admin, revision, settings);
}

const sendLogo = (admin: Visitor, bytes: Uint8Array, type = 'image/png') =>
  admin.fetch('PUT', '/api/settings/logo', {
    body: bytes as Uint8Array<ArrayBuffer>,
    headers: { 'Content-Type': type },
  });

const desk = async (api: TestApi) => (await createVisitor(api.url).call<DeskInfo>('GET', '/api/desk')).body;

/** Which of the accounts may read the settings, and have the menu entry. */
async function administrators(visitors: Visitor[]): Promise<boolean[]> {
  return Promise.all(
    visitors.map(async (who) => {
      const { status } = await who.call('GET', '/api/settings');
      const { body } = await who.call<SettingsAccess>('GET', '/api/settings/access');
      expect(status).toBe(body.isAdministrator ? 200 : 403);
      return body.isAdministrator;
    }),
  );
}

const asOps = { Authorization: `Bearer ${opsToken}` };

test('the first account is the administrator, and nobody inherits this', async () => {
  const api = await start();
  const first = await account(api, 'first');
  const others = [await account(api, 'second'), await account(api, 'third')];
  expect(await administrators([first, ...others])).toEqual([true, false, false]);
  expect((await put(others[0]!, 0, (await read(first)).settings)).status).toBe(403);
  expect((await createVisitor(api.url).call('GET', '/api/settings')).status).toBe(401);

  expect((await first.call('DELETE', '/admin/account', { password })).status).toBe(200);
  const later = [...others, await account(api, 'first')];
  expect(await administrators(later)).toEqual([false, false, false]);

  await api.close();
  const lines: string[] = [];
  const again = await start({ dataDir: api.dataDir, onLog: (line) => lines.push(line) });
  const signedIn = await Promise.all(
    ['second', 'third', 'first'].map(async (name) => {
      const visitor = createVisitor(again.url);
      await visitor.signIn(name, password);
      return visitor;
    }),
  );
  expect(await administrators([...signedIn, await account(again, 'fourth')])).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(lines.join()).toContain('nobody may change the settings');

  const ops = createVisitor(again.url);
  const change = (path: string, username: string) =>
    ops.call<AdministratorInfo>('POST', `/ops/administrators/${path}`, { username }, asOps);
  expect((await change('grant', 'SECOND')).body).toMatchObject({ username: 'second', isAdministrator: true });
  expect(await administrators(signedIn)).toEqual([true, false, false]);
  const { body } = await ops.call('GET', '/ops/administrators', undefined, asOps);
  expect(body).toMatchObject({ administrators: [{ username: 'second' }] });
  expect((await change('revoke', 'second')).body).toMatchObject({ isAdministrator: false });
  expect(await administrators(signedIn)).toEqual([false, false, false]);
  expect((await change('grant', 'nobody')).status).toBe(404);
  expect((await signedIn[0]!.call('POST', '/ops/administrators/grant', { username: 'second' })).status).toBe(
    401,
  );
});

test('in a store of an earlier version the oldest account keeps the right; if all accounts were deleted, nobody gets it', async () => {
  const api = await start();
  await account(api, 'gone');
  await account(api, 'oldest');
  await account(api, 'newer');
  const { connection } = api;
  await connection.collection('users').deleteOne({ username: 'gone' });
  await connection.collection('users').updateMany({}, { $unset: { roles: 1 } });
  await connection
    .collection<{ _id: string }>('settings')
    .deleteMany({ _id: { $in: ['first_administrator', 'roles_version'] } });
  await api.close();
  const updated = await start({ dataDir: api.dataDir });
  const [oldest, newer] = [createVisitor(updated.url), createVisitor(updated.url)];
  await oldest.signIn('oldest', password);
  await newer.signIn('newer', password);
  expect(await administrators([oldest, newer])).toEqual([true, false]);

  await updated.connection.collection('users').deleteMany({});
  const settings = updated.connection.collection<{ _id: string }>('settings');
  await settings.deleteOne({ _id: 'first_administrator' });
  await settings.insertOne({ _id: 'first_account' });
  await updated.close();
  const emptied = await start({ dataDir: api.dataDir });
  expect(await administrators([await account(emptied, 'somebody')])).toEqual([false]);
});

test('only the administrator sees which first steps are done', async () => {
  const api = await start({ config: { editors: ['*'] } });
  const [admin, other] = [await account(api, 'first'), await account(api, 'second')];
  const access = async (who: Visitor) => (await who.call<SettingsAccess>('GET', '/api/settings/access')).body;
  expect(await access(other)).toEqual({ isAdministrator: false, rights: ['ask', 'edit_knowledge'] });
  const firstSteps = { document: false, question: false, named: false };
  const rights = ['ask', 'answer_people', 'edit_knowledge', 'see_all_reports', 'administer'];
  expect(await access(admin)).toEqual({ isAdministrator: true, rights, firstSteps });

  // Of somebody else: counts for documents, which are shared, and not for questions.
  await other.call('POST', '/api/chat', { text: 'x' });
  const form = new FormData();
  form.append('file', new Blob(['# Hours\n\nWe open at nine.\n']), 'hours.md');
  expect((await other.fetch('POST', '/api/knowledge/documents', { body: form })).status).toBe(201);
  expect((await access(admin)).firstSteps).toEqual({ ...firstSteps, document: true });
  await admin.call('POST', '/api/chat', { text: 'When do you open?' });
  await change(admin, ({ texts }) => {
    texts.zh.name = '前台';
  });
  expect((await access(admin)).firstSteps).toEqual({ document: true, question: true, named: false });
  await change(admin, ({ texts }) => {
    texts.zh.hours = '9:00–17:00';
  });
  expect((await access(admin)).firstSteps).toEqual({ document: true, question: true, named: true });
});

test('without changes the defaults of the product apply', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  expect(await read(admin)).toMatchObject({
    revision: 0,
    changedAt: null,
    changedBy: null,
    settings: { language: null, logo: null, handbook: true, models: null, guestDays: null, recordDays: null },
    product: { models: [], handbook: true, guestDays: 7, undoDays: 7 },
  });
  expect(await desk(api)).toMatchObject({ logoUrl: null, texts: { zh: { name: '', starters: [] } } });
});

test('a change is public at once, survives a restart and is in the history', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  await change(admin, ({ texts }) => {
    texts.zh.name = '  华东 客服 ';
    texts.zh.starters = ['怎样退货？', ' ', '怎样退货？'];
  });
  const saved = await change(admin, (settings) => {
    settings.guestDays = 3;
  });
  expect(saved.body).toMatchObject({ revision: 2, changedBy: 'first' });
  expect((await desk(api)).texts.zh).toMatchObject({ name: '华东 客服', starters: ['怎样退货？'] });
  const guest = await createVisitor(api.url).call('GET', '/api/conversations');
  expect(guest.headers.get('X-Guest-Days')).toBe('3');

  await api.close();
  const later = await start({ dataDir: api.dataDir });
  expect((await desk(later)).texts.zh.name).toBe('华东 客服');
  const again = createVisitor(later.url);
  await again.signIn('first', password);
  const first = (await again.call<SettingsHistory>('GET', '/api/settings/history?limit=1')).body;
  expect(first.revisions).toMatchObject([
    { revision: 2, changedBy: 'first', changes: [{ field: 'guestDays', before: null, after: 3 }] },
  ]);
  const path = `/api/settings/history?cursor=${first.nextCursor}`;
  const { revisions, nextCursor } = (await again.call<SettingsHistory>('GET', path)).body;
  expect(nextCursor).toBeNull();
  expect(revisions).toMatchObject([
    {
      revision: 1,
      changes: [
        { field: 'texts.zh.name', before: '', after: '华东 客服' },
        { field: 'texts.zh.starters', before: [], after: ['怎样退货？'] },
      ],
    },
  ]);
});

test('the default language is a supported one or follows the browser, and a request may omit it', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  const languageOf = async () => (await read(admin)).settings.language;
  for (const language of ['browser', 'en'] as const) {
    await change(admin, (settings) => {
      settings.language = language;
    });
    expect(await languageOf()).toBe(language);
  }
  const { revision, settings } = await read(admin);
  const save = (changed: object) => admin.call('PUT', '/api/settings', { revision, settings: changed });
  expect((await save({ ...settings, language: 'fr' })).status).toBe(400);
  const { language: _, ...others } = settings;
  expect((await save(others)).status).toBe(200);
  expect(await languageOf()).toBeNull();
});

test('the second of two administrators’ changes is refused with the current settings, and overwrites nothing', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  const { revision, settings } = await read(admin);
  const named = (name: string) => ({
    ...settings,
    texts: { ...settings.texts, zh: { ...settings.texts.zh, name } },
  });
  const replies = await Promise.all(['甲', '乙', '丙'].map((name) => put(admin, revision, named(name))));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const won = replies.find(({ status }) => status === 200)!.body.settings.texts.zh.name;
  for (const { body } of replies.filter(({ status }) => status === 409))
    expect(body).toMatchObject({
      error: 'conflict',
      field: 'revision',
      current: { revision: 1, changedBy: 'first', settings: { texts: { zh: { name: won } } } },
    });
  expect((await desk(api)).texts.zh.name).toBe(won);
  expect((await put(admin, 5, settings)).status).toBe(409);
  const history = await admin.call<SettingsHistory>('GET', '/api/settings/history');
  expect(history.body.revisions).toHaveLength(1);
});

test('an earlier revision is restored as a new one', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  await change(admin, ({ texts }) => {
    texts.en.name = 'Acme';
  });
  await change(admin, ({ texts }) => {
    texts.en.name = 'Bolt';
  });
  const restore = (revision: number, to: number) =>
    admin.call<SettingsReply & ErrorBody>('POST', '/api/settings/restore', { revision, to });
  expect((await restore(1, 1)).status).toBe(409);
  expect((await restore(2, 9)).body).toMatchObject({ code: 404, error: 'not_found' });
  expect((await restore(2, 1)).body).toMatchObject({
    revision: 3,
    settings: { texts: { en: { name: 'Acme' } } },
  });
  expect((await restore(3, 0)).body).toMatchObject({
    revision: 4,
    settings: { texts: { en: { name: '' } } },
  });
  expect((await desk(api)).texts.en.name).toBe('');
});

describe('what is refused', () => {
  let api: TestApi;
  let admin: Visitor;
  let second: Visitor;
  beforeAll(async () => {
    api = await startTestApi({ answerer: createScriptedAnswerer() });
    admin = await account(api, 'first');
    second = await account(api, 'second');
  });
  afterAll(() => api.end());

  test.each<[string, (settings: DeskSettings) => void]>([
    ['settings.texts.zh.name', ({ texts }) => void Object.assign(texts.zh, { name: 'x'.repeat(61) })],
    [
      'settings.texts.en.greeting',
      ({ texts }) => void Object.assign(texts.en, { greeting: 'x'.repeat(121) }),
    ],
    [
      'settings.texts.en.starters',
      ({ texts }) => void Object.assign(texts.en, { starters: ['a', 'b', 'c', 'd', 'e'] }),
    ],
    [
      'settings.texts.en.starters.0',
      ({ texts }) => void Object.assign(texts.en, { starters: ['x'.repeat(121)] }),
    ],
    ['settings.texts.zh.contact', ({ texts }) => void Object.assign(texts.zh, { contact: 'x'.repeat(301) })],
    [
      'settings.texts.zh.notFound',
      ({ texts }) => void Object.assign(texts.zh, { notFound: 'x'.repeat(601) }),
    ],
    ['settings.guestDays', (settings) => void Object.assign(settings, { guestDays: 0 })],
    ['settings.recordDays', (settings) => void Object.assign(settings, { recordDays: 1.5 })],
    ['settings.logo', (settings) => void Object.assign(settings, { logo: '../../etc/passwd' })],
    ['settings.logo', (settings) => void Object.assign(settings, { logo: 'x'.repeat(24) })],
    ['settings.more', (settings) => void Object.assign(settings, { more: 1 })],
  ])('refuses an invalid %s, and saves nothing', async (field, edit) => {
    const { status, body } = await change(admin, edit);
    expect([status, body.error, body.field]).toEqual([400, 'invalid_request', field]);
    expect((await read(admin)).revision).toBe(0);
  });

  test.each<[string, number, string, () => Buffer]>([
    [
      'an SVG with a script',
      415,
      'unsupported_type',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['HTML', 415, 'unsupported_type', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', 415, 'unsupported_type', () => Buffer.alloc(0)],
    ['a PNG cut off in its header', 415, 'unsupported_type', () => png.subarray(0, 20)],
    ['a PNG of 60,000 pixels', 413, 'too_large', () => withWidth(60_000)],
    ['50 MB', 413, 'too_large', () => Buffer.concat([png, Buffer.alloc(50 * 2 ** 20)])],
  ])('refuses %s as a logo', async (_what, status, error, bytes) => {
    const reply = await sendLogo(admin, bytes());
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error });
    expect((await sendLogo(second, png)).status).toBe(403);
  });
});

function withWidth(pixels: number): Buffer {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(pixels, 16);
  return bytes;
}

test('texts keep HTML as text, and lose characters that could disguise them', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  const html = '</script><img src=x onerror=alert(1)>';
  await change(admin, ({ texts }) => {
    texts.zh.name = html;
    texts.zh.contact = 'a\u0000b\u202e\r\n\tc';
  });
  expect((await desk(api)).texts.zh).toMatchObject({ name: html, contact: 'ab\n c' });
});

test('a logo is used once the settings are saved with it, and is cached by its version', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  // Data after the end of a picture could be anything.
  const hidden = Buffer.from('<script>alert(1)</script>');
  const sent = await sendLogo(admin, Buffer.concat([png, hidden]));
  const { logo } = (await sent.json()) as LogoReply;
  expect((await desk(api)).logoUrl).toBeNull();
  await change(admin, (settings) => {
    settings.logo = logo;
  });
  const { logoUrl } = await desk(api);
  expect(logoUrl).toBe(`/api/desk/logo?v=${logo}`);
  const shown = await fetch(api.url + logoUrl);
  expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const headers = { 'If-None-Match': shown.headers.get('ETag')!, 'Cache-Control': 'max-age=0' };
  expect((await fetch(api.url + logoUrl, { headers })).status).toBe(304);
  expect((await fetch(`${api.url}/api/desk/logo`)).status).toBe(200);
  expect((await fetch(`${api.url}/api/desk/logo?v=unknown`)).status).toBe(404);
});

test('GET /api/desk has an ETag that changes with the settings', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  const ask = (tag: string) =>
    fetch(`${api.url}/api/desk`, { headers: { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' } });
  const tag = (await ask('')).headers.get('ETag')!;
  expect((await ask(tag)).status).toBe(304);
  await change(admin, ({ texts }) => {
    texts.en.hours = 'Mon–Fri';
  });
  expect((await ask(tag)).status).toBe(200);
});

test('only the models on offer are listed and accepted', async () => {
  const model = { baseUrl: 'http://127.0.0.1:9', apiKey: '', model: 'm', vision: false, contextTokens: 8000 };
  const api = await start({
    config: { models: ['small', 'large'].map((name) => ({ ...model, name })) as never },
  });
  const admin = await account(api, 'first');
  const visitor = createVisitor(api.url);
  const listed = async () => {
    const { body } = await visitor.call<ModelList>('GET', '/api/models');
    return [...body.models.map(({ name }) => name), body.default];
  };
  const ask = async (name: string) =>
    (await visitor.call('POST', '/api/chat', { text: 'x', model: name })).status;
  expect(await listed()).toEqual(['small', 'large', 'small']);
  expect(await ask('small')).toBe(200);
  await change(admin, (settings) => {
    settings.models = ['large', 'not configured'];
  });
  expect(await listed()).toEqual(['large', 'large']);
  expect([await ask('small'), await ask('large'), await ask('none')]).toEqual([400, 200, 200]);
  await change(admin, (settings) => {
    settings.models = [];
  });
  expect(await listed()).toEqual(['none']);
});

test('settings that one process saves apply in another within seconds', async () => {
  const api = await start();
  const admin = await account(api, 'first');
  await change(admin, ({ texts }) => {
    texts.en.name = 'Acme';
  });
  // What another process does: it inserts the next revision.
  const revisions = api.connection.collection<{ _id: number }>('desk_revisions');
  const last = await revisions.findOne({ _id: 1 });
  await revisions.insertOne({ ...last!, _id: 2, settings: { texts: { en: { name: 'Bolt' } } } } as never);
  const end = Date.now() + 5000;
  while ((await desk(api)).texts.en.name !== 'Bolt' && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await desk(api)).texts.en).toMatchObject({ name: 'Bolt', hours: '' });
});
