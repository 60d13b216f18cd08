import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import type { StarterList } from '../contract/answers.ts';
import type { PageComposition } from '../contract/pages.ts';
import type { DeskSettings, RetentionPreview, SettingsReply } from '../contract/settings.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { removeTestData } from '../testing/test-database.ts';
import { createVisitor, signedUp } from '../testing/visitor.ts';
import { writeTestBuild } from '../testing/write-test-build.ts';

let api: TestApi;
const visitor = () => createVisitor(api.url);

api = await startTestApi({});
const admin = visitor();
await admin.signUp('first', 'a long password');
afterAll(() => api?.end());

async function change(edit: (settings: DeskSettings) => void): Promise<void> {
  const { revision, settings } = (await admin.call<SettingsReply>('GET', '/api/settings')).body;
  edit(settings);
  expect((await admin.call('PUT', '/api/settings', { revision, settings })).status).toBe(200);
}

async function ask(text: string, language = 'zh-CN') {
  const { body } = await visitor().call<{ response: string; source: string; suggestions: string[] }>(
    'POST',
    '/api/chat',
    { text },
    { 'Accept-Language': language },
  );
  return body;
}

const starters = async () => (await visitor().call<StarterList>('GET', '/api/starters')).body.starters;

test('the handbook is turned off and on without a restart', async () => {
  const asked = '怎样删除会话？';
  expect(await ask(asked)).toMatchObject({ source: 'document' });
  expect(await starters()).toHaveLength(3);
  await change((settings) => {
    settings.handbook = false;
  });
  const nothing = await ask(asked);
  expect([nothing.source, nothing.suggestions ?? []]).toEqual(['none', []]);
  expect(await ask('你好')).toMatchObject({ source: 'none' });
  expect(await starters()).toEqual([]);
  await change((settings) => {
    settings.handbook = true;
  });
  expect(await ask(asked)).toMatchObject({ source: 'document' });
});

test('if nothing is found, the answer is the configured text and how to reach people', async () => {
  const asked = '木星上有多少只企鹅在滑雪？';
  const product = (await ask(asked)).response;
  expect(product).toMatch(/没有足够的依据/);
  await change(({ texts }) => {
    texts.zh.contact = '电话 400-100-200\n或写信';
    texts.zh.hours = '周一至周五 9:00–18:00';
  });
  expect((await ask(asked)).response).toBe(
    `${product}\n\n联系方式：电话 400-100-200\n或写信\n\n办公时间：周一至周五 9:00–18:00`,
  );
  await change(({ texts }) => {
    texts.zh.notFound = '没有查到，请[联系我们](https://desk.example)。';
    texts.zh.hours = '';
  });
  expect((await ask(asked)).response).toBe(
    '没有查到，请[联系我们](https://desk.example)。\n\n联系方式：电话 400-100-200\n或写信',
  );
  expect((await ask('How many penguins ski on Jupiter?', 'en')).response).toMatch(
    /^Nothing in the knowledge/,
  );
});

test('records of accounts are deleted after the time, whole days at once, and their owners can restore them', async () => {
  const owner = visitor();
  await owner.signUp('keeper', 'a long password');
  for (const text of ['旧的问题', '新的问题']) await owner.call('POST', '/api/chat', { text });
  const guest = visitor();
  await guest.call('POST', '/api/chat', { text: '访客的问题' });
  const records = api.connection.collection('records');
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  await records.updateMany(
    { question: { $in: ['旧的问题', '访客的问题'] } },
    { $set: { createdAt: longAgo } },
  );

  const preview = await admin.call<RetentionPreview>('GET', '/api/settings/retention?days=30');
  expect(preview.body).toEqual({ records: 1 });
  expect((await admin.call('GET', '/api/settings/retention?days=0')).status).toBe(400);
  expect((await owner.call('GET', '/api/settings/retention?days=30')).status).toBe(403);

  await change((settings) => {
    settings.recordDays = 30;
  });
  // The background job runs at the start, then every hour.
  await api.close();
  const { dataDir } = api;
  const later = await startTestApi({ dataDir });
  api = {
    ...later,
    async end() {
      await later.end();
      await removeTestData(dataDir);
    },
  };
  const again = visitor();
  await again.signIn('keeper', 'a long password');
  const questions = async () => {
    const { body } = await again.call<{ records: { question: string }[] }>('GET', '/api/records');
    return body.records.map(({ question }) => question);
  };
  for (const end = Date.now() + 60_000; (await questions()).length > 1 && Date.now() < end; ) await delay(50);
  expect(await questions()).toEqual(['新的问题']);
  const bin = await again.call<{ deletions: { undoToken: string }[] }>('GET', '/api/bin');
  const undone = await again.call('POST', '/api/undo_delete', {
    undoToken: bin.body.deletions[0]!.undoToken,
  });
  expect(undone.body).toEqual({ restored: 1 });
});

test('the page contains the settings for the first paint as data that cannot be run as a script', async () => {
  const folder = join(api.dataDir, 'builds');
  const builds = [
    await writeTestBuild(folder, { name: 'host' }),
    await writeTestBuild(folder, { name: 'mfe-chat' }),
  ];
  const other = await startTestApi({ builds });
  try {
    const page = async () => {
      const response = await fetch(`${other.url}/chatbot/index`);
      return { html: await response.text(), tag: response.headers.get('ETag') };
    };
    const deskOf = (html: string) =>
      (JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!) as PageComposition).desk;
    const before = await page();
    expect(deskOf(before.html)).toBeUndefined();
    const own = await signedUp(other.url, 'first', 'a long password');
    const { revision, settings } = (await own.call<SettingsReply>('GET', '/api/settings')).body;
    settings.texts.zh = {
      ...settings.texts.zh,
      name: '</script><b>&',
      starters: ['怎样退货？'],
      notFound: 'x',
    };
    await own.call('PUT', '/api/settings', { revision, settings });
    const after = await page();
    expect(after.tag).not.toBe(before.tag);
    expect(deskOf(after.html)).toEqual({ zh: { name: '</script><b>&', starters: ['怎样退货？'] } });
    expect(after.html).not.toContain('</script><b>');
    await own.call('POST', '/api/settings/restore', { revision: 1, to: 0 });
    expect((await page()).html).toBe(before.html);
  } finally {
    await other.end();
  }
});
