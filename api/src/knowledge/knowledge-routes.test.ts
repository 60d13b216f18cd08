import { afterAll, describe, expect, test } from '@jest/globals';
import { handbookFolder } from '../answers/handbook/index-handbook.ts';
import { readHandbook } from '../answers/handbook/read-handbook.ts';
import type { ChatAnswer } from '../contract/chat.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type {
  KnowledgeArchive,
  KnowledgeCheck,
  KnowledgeDocumentPage,
  KnowledgeImportReply,
  KnowledgePair,
  KnowledgePairPage,
  KnowledgePassagePage,
  KnowledgeSummary,
  TriedQuestion,
  UnansweredPage,
} from '../contract/knowledge.ts';
import { addDocument, addPair, givenDocument, givenPair, whenIndexed } from '../testing/knowledge-calls.ts';
import { makePng } from '../testing/sample-files.ts';
import { createScriptedAnswerer } from '../testing/scripted-answerer.ts';
import { startTestApi } from '../testing/start-test-api.ts';
import { removeTestData } from '../testing/test-database.ts';
import { createVisitor, signedUp, type Visitor } from '../testing/visitor.ts';

const opsToken = 'the-token-of-operations';
let editor: Visitor;
let reader: Visitor;
let named: Visitor;
let guest: Visitor;

const api = await startTestApi({ config: { editors: ['ＮＡＭＥＤ'], opsToken } });
[editor, reader, named, guest] = [0, 1, 2, 3].map(() => createVisitor(api.url)) as [
  Visitor,
  Visitor,
  Visitor,
  Visitor,
];
await editor.signUp('first', 'password-1');
await reader.signUp('reader', 'password-2');
await named.signUp('Named', 'password-3');
const { status } = await createVisitor(api.url).call(
  'POST',
  '/ops/editors/grant',
  { username: 'ＮＡＭＥＤ' },
  { Authorization: `Bearer ${opsToken}` },
);
if (status !== 200) throw new Error(`expected an editor, got ${status}`);
afterAll(() => api.end());

async function ask(text: string, who = reader): Promise<ChatAnswer> {
  const { status, body } = await who.call<ChatAnswer>('POST', '/api/chat', { text });
  if (status !== 200) throw new Error(`expected an answer, got ${status} ${JSON.stringify(body)}`);
  return body;
}

const summary = async (who: Visitor) => (await who.call<KnowledgeSummary>('GET', '/api/knowledge')).body;

const manual = `# 青鸟净水器手册

## 更换滤芯

青鸟净水器的滤芯每六个月更换一次。更换前先关闭进水阀。

## 漏水怎么办

青鸟净水器漏水时，请关闭进水阀并拨打 400-555-0199。
`;

describe('permissions', () => {
  const id = 'a'.repeat(24);
  const reading: [string, string][] = [
    ['GET', '/api/knowledge'],
    ['GET', '/api/knowledge/documents'],
    ['GET', '/api/knowledge/pairs'],
  ];
  const changing: [string, string, object?][] = [
    ['POST', '/api/knowledge/documents'],
    ['POST', `/api/knowledge/documents/${id}/reindex`],
    ['DELETE', `/api/knowledge/documents/${id}`],
    ['POST', '/api/knowledge/pairs', { question: 'q', answer: 'a' }],
    ['PUT', `/api/knowledge/pairs/${id}`, { question: 'q', answer: 'a' }],
    ['DELETE', `/api/knowledge/pairs/${id}`],
    ['GET', '/api/knowledge/unanswered'],
    ['POST', `/api/knowledge/unanswered/${id}/answer`, { answer: 'a' }],
    ['POST', `/api/knowledge/unanswered/${id}/dismiss`],
    ['POST', '/api/knowledge/check', { kind: 'delete_pair', id }],
    ['POST', '/api/knowledge/try', { text: 'x' }],
    ['GET', '/api/knowledge/synonyms'],
    ['PUT', '/api/knowledge/synonyms', { revision: 0, groups: [] }],
    ['GET', '/api/knowledge/golden'],
    ['GET', '/api/knowledge/golden/rated'],
    ['POST', '/api/knowledge/golden', { question: 'q', expected: { outcome: 'refused' } }],
    ['PUT', `/api/knowledge/golden/${id}`, { question: 'q', expected: { outcome: 'refused' } }],
    ['DELETE', `/api/knowledge/golden/${id}`],
    ['POST', '/api/knowledge/golden/import', { csv: 'q,-' }],
    ['POST', '/api/knowledge/golden/run'],
    ['GET', '/api/knowledge/export'],
    ['POST', '/api/knowledge/import', {}],
  ];

  test('a guest is asked to sign in, also for reading', async () => {
    for (const [method, path, body] of [...reading, ...changing]) {
      const reply = await guest.call<ErrorBody>(method, path, body);
      expect([path, reply.status, reply.body.error]).toEqual([path, 401, 'sign_in_required']);
    }
  });

  test('a reader can read, but cannot change anything', async () => {
    for (const [method, path] of reading) expect((await reader.call(method, path)).status).toBe(200);
    for (const [method, path, body] of changing) {
      const reply = await reader.call<ErrorBody>(method, path, body);
      expect([path, reply.status, reply.body.error]).toEqual([path, 403, 'forbidden']);
    }
    expect((await addDocument(reader, 'a.md', '# a')).status).toBe(403);
  });

  test('the first account and those chosen by operators are editors, with normalised names', async () => {
    expect(await summary(editor)).toMatchObject({ isEditor: true, unanswered: 0 });
    expect(await summary(named)).toMatchObject({ isEditor: true });
    expect(await summary(reader)).toMatchObject({ isEditor: false, unanswered: null });
  });

  test('unknown ids of any form return 404', async () => {
    for (const wrong of [id, 'x', '%20', '$ne', '..%2f..', 'a'.repeat(300)]) {
      for (const [method, path] of [
        ['GET', `/api/knowledge/documents/${wrong}`],
        ['DELETE', `/api/knowledge/documents/${wrong}`],
        ['POST', `/api/knowledge/documents/${wrong}/reindex`],
        ['GET', `/api/knowledge/documents/${wrong}/passages`],
        ['DELETE', `/api/knowledge/pairs/${wrong}`],
        ['POST', `/api/knowledge/unanswered/${wrong}/dismiss`],
      ] as const)
        expect([path, (await editor.call(method, path)).status]).toEqual([path, 404]);
    }
  });
});

describe('documents', () => {
  test('are refused while a thousand are waiting to be indexed', async () => {
    const documents = api.connection.collection<{ _id: string }>('documents');
    const until = new Date(Date.now() + 3_600_000);
    // Leased by another process.
    const lease = { process: 'another', host: 'elsewhere', pid: 1, until };
    const waiting = { owner: '', source: 'upload', status: 'indexing', lease, createdAt: until };
    const ids = Array.from({ length: 1000 }, (_, at) => `waiting-${at}`);
    await documents.insertMany(ids.map((_id) => ({ _id, ...waiting })));
    const refused = await addDocument(editor, 'late.md', '# late\n\nIt came late.');
    expect(refused.status).toBe(503);
    await documents.deleteOne({ _id: ids[0]! });
    expect((await addDocument(editor, 'late.md', '# late\n\nIt came late.')).status).toBe(201);
    await documents.deleteMany({ _id: { $in: ids } });
  });

  test('a file is used for answers after indexing, and not after its deletion', async () => {
    const before = await ask('青鸟净水器的滤芯多久更换一次？');
    expect(before.response).not.toContain('六个月');
    const { status, body } = await addDocument(editor, 'manual.md', manual);
    expect([status, body.document.status]).toEqual([201, 'indexing']);
    const document = await whenIndexed(editor, body.document.id);
    expect(document).toMatchObject({
      title: '青鸟净水器手册',
      type: 'markdown',
      cited: 0,
      status: 'ready',
      progress: 1,
      error: null,
      isHandbook: false,
      size: Buffer.byteLength(manual),
    });

    const answer = await ask('青鸟净水器的滤芯多久更换一次？');
    expect(answer.response).toContain('六个月');
    const { body: passages } = await reader.call<KnowledgePassagePage>(
      'GET',
      `/api/knowledge/documents/${document.id}/passages`,
    );
    expect(passages.passages).toHaveLength(document.passages);
    for (const { text, start, end } of passages.passages) expect(text).toHaveLength(end - start);

    expect((await editor.call('DELETE', `/api/knowledge/documents/${document.id}`)).status).toBe(204);
    expect((await editor.call('GET', `/api/knowledge/documents/${document.id}`)).status).toBe(404);
    expect((await ask('青鸟净水器的滤芯多久更换一次？')).response).not.toContain('六个月');
    // Earlier answers keep their quotes.
    const kept = await reader.call<{ citations: { quote: string }[] }>(
      'GET',
      `/api/records/${answer.recordId}`,
    );
    expect(kept.body.citations[0]?.quote).toContain('六个月');
  });

  test('the same file is the same document unless it has another title', async () => {
    const text = '# 红隼打印机\n\n红隼打印机的墨盒编号是 HS-77。';
    const first = await givenDocument(editor, 'a.md', text);
    const again = await addDocument(named, 'b.md', text);
    expect([again.status, again.body.document.id]).toEqual([200, first.id]);
    const titled = await givenDocument(editor, 'a.md', text, '另一份');
    expect([titled.title, titled.id === first.id]).toEqual(['另一份', false]);
    const together = await Promise.all(
      [1, 2, 3, 4].map(() => addDocument(editor, 'c.md', `${text}\n\n第二版。`)),
    );
    expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(together.map(({ body }) => body.document.id)).size).toBe(1);
  });

  test("an unreadable file fails with a reason in the reader's language, and can be retried", async () => {
    const { body } = await addDocument(editor, 'x.pdf', new Uint8Array(Buffer.from('%PDF-1.7\nbroken')));
    const failed = await whenIndexed(editor, body.document.id);
    expect(failed.status).toBe('failed');
    const en = await editor.call<{ document: { error: string } }>(
      'GET',
      `/api/knowledge/documents/${failed.id}`,
      undefined,
      { 'Accept-Language': 'en' },
    );
    expect(failed.error).toMatch(/\p{Script=Han}/u);
    expect(en.body.document.error).toMatch(/^[A-Z][a-z ]+/);
    const again = await editor.call<{ document: { status: string } }>(
      'POST',
      `/api/knowledge/documents/${failed.id}/reindex`,
    );
    expect([again.status, again.body.document.status]).toEqual([202, 'indexing']);
    expect((await whenIndexed(editor, failed.id)).status).toBe('failed');
    const uploaded = await addDocument(editor, 'x.pdf', new Uint8Array(Buffer.from('%PDF-1.7\nbroken')));
    expect([uploaded.status, uploaded.body.document.id]).toEqual([200, failed.id]);
    expect(uploaded.body.document.status).toBe('indexing');
    expect((await whenIndexed(editor, failed.id)).status).toBe('failed');
    const empty = await addDocument(editor, 'blank.txt', ' \n\n ');
    expect((await whenIndexed(editor, empty.body.document.id)).status).toBe('failed');
    const picture = await addDocument(editor, 'white.png', new Uint8Array(makePng(64, 64)));
    expect(await whenIndexed(editor, picture.body.document.id)).toMatchObject({
      status: 'failed',
      type: 'image',
      error: '文件中没有可读的文字',
    });
  });

  test('the list contains uploads newest first, then the handbook, is paged, and can be searched by title', async () => {
    const one = await givenDocument(editor, '1.md', '# 白鹭甲\n\n白鹭甲说明。');
    const two = await givenDocument(editor, '2.md', '# 白鹭乙\n\n白鹭乙说明。');
    const seen: { id: string; isHandbook: boolean }[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await reader.call<KnowledgeDocumentPage>(
        'GET',
        `/api/knowledge/documents?limit=3${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.documents);
      expect(body.total).toBeGreaterThanOrEqual(seen.length);
      if (body.nextCursor === null) {
        expect(seen).toHaveLength(body.total);
        break;
      }
      cursor = body.nextCursor;
    }
    expect(seen.slice(0, 2).map(({ id }) => id)).toEqual([two.id, one.id]);
    const firstOfHandbook = seen.findIndex(({ isHandbook }) => isHandbook);
    expect(seen.slice(firstOfHandbook).every(({ isHandbook }) => isHandbook)).toBe(true);
    const found = await reader.call<KnowledgeDocumentPage>(
      'GET',
      `/api/knowledge/documents?q=${encodeURIComponent('白鷺')}`,
    );
    expect(found.body.documents.map(({ id }) => id)).toEqual([two.id, one.id]);
    expect([found.body.total, found.body.nextCursor]).toEqual([2, null]);
    expect((await reader.call('GET', '/api/knowledge/documents?cursor=x')).status).toBe(400);
  });

  test('a document has the title of its heading and its file name, and is found by either', async () => {
    const { id } = await givenDocument(editor, 'shoebill-\u202efinal.md', '# 鲸头鹳说明\n\n鲸头鹳很安静。');
    expect(await whenIndexed(editor, id)).toMatchObject({ title: '鲸头鹳说明', name: 'shoebill-final.md' });
    for (const q of ['鲸头', 'SHOEBILL']) {
      const { body } = await reader.call<KnowledgeDocumentPage>(
        'GET',
        `/api/knowledge/documents?q=${encodeURIComponent(q)}`,
      );
      expect(body.documents.map((one) => one.id)).toEqual([id]);
    }
  });

  test('a title that an editor gives takes the place of the file’s own, also after it is indexed again', async () => {
    const page = (title: string) =>
      `<!doctype html><title>${title}</title><h1>${title}</h1><p>鲣鸟会潜水。</p>`;
    const { id, title } = await givenDocument(editor, 'booby.html', page('鲣鸟甲'));
    expect(title).toBe('鲣鸟甲');
    const path = `/api/knowledge/documents/${id}`;
    expect((await editor.call('PATCH', path, { title: ' 鲣鸟手册 ' })).status).toBe(200);
    expect(await whenIndexed(editor, id)).toMatchObject({ title: '鲣鸟手册', status: 'ready' });
    await editor.call('POST', `${path}/reindex`);
    expect(await whenIndexed(editor, id)).toMatchObject({ title: '鲣鸟手册', status: 'ready' });
    const { citations } = await ask('鲣鸟会潜水吗？');
    expect(citations[0]).toMatchObject({ title: expect.stringContaining('鲣鸟手册') });
    const named = await givenDocument(editor, 'other.html', page('鲣鸟乙'), '给定的标题');
    expect(named.title).toBe('给定的标题');
    expect((await reader.call('PATCH', path, { title: 'x' })).status).toBe(403);
  });

  test.each(['zh', 'en'])('the handbook is ordered by pages and pairs, in %s first', async (language) => {
    const headers = { 'Accept-Language': language };
    const others = language === 'zh' ? 'en' : 'zh';
    const { pages, pairs } = (await readHandbook(handbookFolder)).parse();
    const wanted = <T extends { language: string }>(all: readonly T[]) =>
      [language, others].flatMap((one) => all.filter((item) => item.language === one));
    const get = async <T>(path: string) =>
      (await reader.call<T>('GET', `/api/knowledge/${path}?limit=100`, undefined, headers)).body;
    const listed = await get<KnowledgeDocumentPage>('documents');
    const titles = listed.documents.flatMap(({ isHandbook, title }) => (isHandbook ? title : []));
    expect(titles).toEqual(wanted(pages).map(({ title }) => title));
    const { pairs: all } = await get<KnowledgePairPage>('pairs');
    const questions = all.flatMap(({ isHandbook, question }) => (isHandbook ? question : []));
    expect(questions).toEqual(wanted(pairs).map(({ question }) => question));
  });

  test('the handbook is read-only', async () => {
    const { body } = await reader.call<KnowledgeDocumentPage>('GET', '/api/knowledge/documents?limit=100');
    const page = body.documents.find(({ isHandbook }) => isHandbook);
    const path = `/api/knowledge/documents/${page?.id}`;
    expect((await reader.call('GET', path)).status).toBe(200);
    const passages = await reader.call<KnowledgePassagePage>('GET', `${path}/passages?limit=100`);
    expect(passages.body.passages.length).toBeGreaterThan(0);
    expect((await editor.call('DELETE', path)).status).toBe(403);
    expect((await editor.call('POST', `${path}/reindex`)).status).toBe(403);
  });
});

test('a private file is not part of the knowledge base', async () => {
  const form = new FormData();
  form.set('file', new File(['# 私人笔记\n\n保险柜在鹦鹉笼后面。'], 'private.md'));
  form.set('text', '保险柜在哪里？');
  const asked = await editor.fetch('POST', '/api/predict', { body: form });
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('鹦鹉')]);
  const { body: list } = await editor.call<KnowledgeDocumentPage>(
    'GET',
    '/api/knowledge/documents?limit=100',
  );
  expect(list.documents.map(({ title }) => title)).not.toContain('私人笔记');
  const { body: archive } = await editor.call<KnowledgeArchive>('GET', '/api/knowledge/export');
  expect(JSON.stringify(archive)).not.toContain('鹦鹉');
  expect((await ask('保险柜在哪里？')).response).not.toContain('鹦鹉');
  // The question is put in the inbox by a bad rating, and still belongs to its asker.
  const { recordId } = JSON.parse(await (await editor.fetch('POST', '/api/predict', { body: form })).text());
  await editor.call('POST', '/api/feedback', { recordId, rating: -1 });
  expect(await summary(editor)).toMatchObject({ documents: list.total });
  const inbox = await editor.call<UnansweredPage>('GET', '/api/knowledge/unanswered?limit=100');
  const safe = inbox.body.questions.filter(({ question }) => question.includes('保险柜'));
  expect(safe.map(({ count }) => count)).toEqual([1]);
});

test('only the first account is an editor by default; `*` makes everyone an editor', async () => {
  const other = await startTestApi({ answerer: createScriptedAnswerer(), config: { editors: ['*'] } });
  const dataDir = other.dataDir;
  const people = [0, 1].map(() => createVisitor(other.url)) as [Visitor, Visitor];
  await people[0].signUp('the first', 'password-7');
  await people[1].signUp('the second', 'password-8');
  for (const one of people) expect((await summary(one)).isEditor).toBe(true);
  expect((await people[0].call('DELETE', '/admin/account', { password: 'password-7' })).status).toBe(200);
  await other.close();
  const later = await startTestApi({ answerer: createScriptedAnswerer(), dataDir });
  try {
    const [second, third] = [0, 1].map(() => createVisitor(later.url)) as [Visitor, Visitor];
    await second.signIn('the second', 'password-8');
    await third.signUp('the first', 'password-9');
    expect((await summary(second)).isEditor).toBe(false);
    expect((await summary(third)).isEditor).toBe(false);
  } finally {
    await later.end();
    await removeTestData(dataDir);
  }
});

describe('curated pairs', () => {
  test('a pair answers its question and its variants, also after changes, until it is deleted', async () => {
    const pair = await givenPair(editor, {
      question: '翠鸟会员卡丢了怎么补办？',
      variants: ['翠鸟卡遗失如何处理', '翠鸟会员卡丢了怎么补办'],
      answer: '请到前台补办，工本费 10 元。',
    });
    expect(pair.variants).toEqual(['翠鸟卡遗失如何处理']);
    expect((await ask('翠鳥會員卡丟了怎麼補辦')).response).toBe('请到前台补办，工本费 10 元。');
    expect(await ask('翠鸟卡遗失如何处理？')).toMatchObject({ source: 'curated' });
    const changed = await editor.call<{ pair: KnowledgePair }>('PUT', `/api/knowledge/pairs/${pair.id}`, {
      question: pair.question,
      answer: '请在网页上补办。',
      updatedAt: pair.updatedAt,
    });
    expect([changed.status, changed.body.pair.variants]).toEqual([200, []]);
    const stale = await editor.call('PUT', `/api/knowledge/pairs/${pair.id}`, {
      question: pair.question,
      answer: '旧的',
      updatedAt: pair.updatedAt,
    });
    expect(stale.status).toBe(409);
    expect((await ask('翠鸟会员卡丢了怎么补办')).response).toBe('请在网页上补办。');
    expect((await editor.call('DELETE', `/api/knowledge/pairs/${pair.id}`)).status).toBe(204);
    expect((await ask('翠鸟会员卡丢了怎么补办')).source).not.toBe('curated');
  });

  test("a question has one editors' answer, also after concurrent writes", async () => {
    const at = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        addPair(n % 2 ? editor : named, { question: '苍鹭几点开门？', answer: `${n} 点` }),
      ),
    );
    expect(at.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    const variant = await addPair(editor, {
      question: '苍鹭什么时候营业',
      variants: ['苍鹭几点开门'],
      answer: '八点',
    });
    expect([variant.status, variant.body.error]).toEqual([409, 'conflict']);
  });

  test('if two editors change the same version of a pair, one is refused', async () => {
    const pair = await givenPair(editor, { question: '两个人同时改什么？', answer: '一' });
    const change = (answer: string) =>
      editor.call<{ pair: KnowledgePair }>('PUT', `/api/knowledge/pairs/${pair.id}`, {
        question: pair.question,
        answer,
        updatedAt: pair.updatedAt,
      });
    const both = await Promise.all([change('二'), change('三')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const kept = both.find(({ status }) => status === 200)!.body.pair.answer;
    expect((await ask('两个人同时改什么？')).response).toBe(kept);
    expect((await change('四')).status).toBe(409);
  });

  test('a question without words matches only itself, and a blank one is refused', async () => {
    await givenPair(editor, { question: '👍', answer: '谢谢夸奖。' });
    expect((await ask('👍！')).response).toBe('谢谢夸奖。');
    expect((await ask('👎')).response).not.toBe('谢谢夸奖。');
    for (const question of ['\u0000', ' \u200b\u3164 ', '\ufeff'])
      expect((await addPair(editor, { question, answer: 'a' })).status).toBe(400);
  });

  test("an editor's pair takes precedence over the handbook's, which cannot be changed", async () => {
    const { body } = await reader.call<KnowledgePairPage>('GET', '/api/knowledge/pairs?limit=100');
    const own = body.pairs.find(({ isHandbook }) => isHandbook)!;
    expect((await editor.call('DELETE', `/api/knowledge/pairs/${own.id}`)).status).toBe(403);
    const put = { question: own.question, answer: '改了' };
    expect((await editor.call('PUT', `/api/knowledge/pairs/${own.id}`, put)).status).toBe(403);
    const mine = await givenPair(editor, put);
    expect((await ask(own.question)).response).toBe('改了');
    await editor.call('DELETE', `/api/knowledge/pairs/${mine.id}`);
    expect((await ask(own.question)).response).toBe(own.answer);
  });

  test('a greeting matches only itself', async () => {
    await givenPair(editor, { question: 'Morning!', answer: 'Good morning to you.' });
    expect((await ask('morning')).response).toBe('Good morning to you.');
    expect((await ask('When does the office open every morning on public holidays?')).response).not.toBe(
      'Good morning to you.',
    );
  });

  test('malicious bodies are refused with the name of the field, and never cause a server error', async () => {
    const good = { question: 'q', answer: 'a' };
    const bodies: unknown[] = [
      {},
      [],
      'x',
      { question: 'q' },
      { ...good, question: '' },
      { ...good, question: { $ne: null } },
      { ...good, question: 'x'.repeat(8001) },
      { ...good, answer: 'x'.repeat(20_001) },
      { ...good, variants: 'x' },
      { ...good, variants: [1] },
      { ...good, variants: Array.from({ length: 51 }, (_, n) => `v${n}`) },
      { ...good, variants: [''] },
    ];
    for (const bad of bodies) {
      const reply = await editor.call<ErrorBody>('POST', '/api/knowledge/pairs', bad);
      expect([JSON.stringify(bad).slice(0, 60), reply.status]).toEqual([
        JSON.stringify(bad).slice(0, 60),
        400,
      ]);
    }
    const odd = await addPair(editor, { question: '\ud800 constructor __proto__ $where', answer: '\u0000' });
    expect(odd.status).toBe(400);
    for (const [query, status] of [
      ['q=%00', 200],
      ['limit=0', 400],
      ['limit=x', 400],
      ['q[$ne]=1', 200],
      [`q=${'x'.repeat(300)}`, 400],
      ['cursor=W10', 400],
    ] as const)
      expect([query, (await editor.call('GET', `/api/knowledge/pairs?${query}`)).status]).toEqual([
        query,
        status,
      ]);
    const form = new FormData();
    form.set('title', 'x');
    const noFile = await editor.fetch('POST', '/api/knowledge/documents', { body: form });
    expect(noFile.status).toBe(400);
    expect((await editor.call('POST', '/api/knowledge/documents', {})).status).toBe(415);
    expect((await addDocument(editor, 'a.md', 'a', 'x'.repeat(201))).status).toBe(400);
  });
});

describe('the effect of a change', () => {
  const check = (change: unknown) =>
    editor.call<KnowledgeCheck & ErrorBody>('POST', '/api/knowledge/check', change);

  test('lists the curated questions that would be answered differently, and changes nothing', async () => {
    const pair = await givenPair(editor, {
      question: '灰雁租车押金多少？',
      variants: ['灰雁押金要付多少钱'],
      answer: '押金 500 元。',
    });
    const { body } = await check({ kind: 'delete_pair', id: pair.id });
    expect(body.checked).toBeGreaterThan(10);
    expect(body.changed.map(({ question }) => question)).toEqual(
      expect.arrayContaining([pair.question, '灰雁押金要付多少钱']),
    );
    expect(body.changed[0]?.before).toEqual({ source: 'curated', answer: '押金 500 元。' });
    const dropped = await check({
      kind: 'put_pair',
      id: pair.id,
      pair: { question: pair.question, answer: '押金 600 元。' },
    });
    expect(dropped.body.changed.map(({ question }) => question)).not.toContain(pair.question);
    expect(await ask('灰雁租车押金多少')).toMatchObject({ response: '押金 500 元。' });
  });

  test('a question can be tried out, which stores and counts nothing', async () => {
    const pair = await givenPair(editor, { question: '白鹭船票多少钱？', answer: '船票 30 元。' });
    const tried = (text: string) =>
      editor.call<TriedQuestion>('POST', '/api/knowledge/try', { text }).then(({ body }) => body);
    expect(await tried('白鹭船票多少钱')).toMatchObject({
      answer: '船票 30 元。',
      source: 'curated',
      outcome: 'answered',
      why: { verdict: 'curated' },
    });
    expect(await tried('潜水艇怎样保养齿轮')).toMatchObject({ source: 'none', citations: expect.any(Array) });
    const { body } = await editor.call<KnowledgePairPage>('GET', '/api/knowledge/pairs?q=白鹭船票');
    expect(body.pairs[0]).toMatchObject({ id: pair.id, hits: 0 });
    expect(
      (await editor.call<UnansweredPage>('GET', '/api/knowledge/unanswered')).body.questions,
    ).not.toContainEqual(expect.objectContaining({ question: '潜水艇怎样保养齿轮' }));
  });

  test("lists the handbook's questions that an editor's pair would take over", async () => {
    const { body } = await reader.call<KnowledgePairPage>('GET', '/api/knowledge/pairs?limit=100');
    const own = body.pairs.find(({ isHandbook, question }) => isHandbook && question.length > 4)!;
    const reply = await check({ kind: 'put_pair', pair: { question: own.question, answer: '新的' } });
    expect(reply.body.changed).toContainEqual({
      question: own.question,
      before: { source: 'curated', answer: own.answer },
      after: { source: 'curated', answer: '新的' },
    });
  });

  test('is refused for the same reasons as the change itself', async () => {
    const pair = await givenPair(editor, { question: '夜莺票价', answer: '80 元' });
    expect((await check({ kind: 'put_pair', pair: { question: '夜莺票价？', answer: '90' } })).status).toBe(
      409,
    );
    expect((await check({ kind: 'delete_pair', id: 'a'.repeat(24) })).status).toBe(404);
    expect((await check({ kind: 'delete_document', id: 'a'.repeat(24) })).status).toBe(404);
    expect((await check({ kind: 'drop', id: pair.id })).status).toBe(400);
    expect((await check({ kind: 'delete_pair', id: { $ne: 1 } })).status).toBe(400);
  });
});

describe('export and import', () => {
  const importAll = (archive: unknown, who = editor) =>
    who.call<KnowledgeImportReply & ErrorBody>('POST', '/api/knowledge/import', archive);
  const archiveOf = (documents: unknown[], pairs: unknown[]) => ({
    format: 'consultation-desk-knowledge',
    version: 1,
    exportedAt: new Date().toISOString(),
    documents,
    pairs,
  });
  const createdAt = '2026-01-05T00:00:00.000Z';

  test('everything is transferred to another server and used there; a second import changes nothing', async () => {
    await givenDocument(editor, 'stork.md', '# 白鹳山庄\n\n白鹳山庄的退房时间是中午十二点。');
    await givenPair(editor, { question: '白鹳山庄可以带狗吗', answer: '可以，请牵绳。' });
    const { body: archive } = await editor.call<KnowledgeArchive>('GET', '/api/knowledge/export');
    expect(archive.documents.map(({ title }) => title)).toContain('白鹳山庄');
    expect(archive.pairs.map(({ question }) => question)).toContain('白鹳山庄可以带狗吗');
    expect(JSON.stringify(archive)).not.toContain('咨询台使用手册');

    const other = await startTestApi({});
    try {
      const there = await signedUp(other.url, 'somebody', 'password-4');
      const { status, body } = await importAll(archive, there);
      expect([status, body]).toEqual([
        200,
        { documents: archive.documents.length, pairs: archive.pairs.length, unchanged: 0 },
      ]);
      const id = archive.documents.find(({ title }) => title === '白鹳山庄')!.id;
      expect(await whenIndexed(there, id)).toMatchObject({ status: 'ready', title: '白鹳山庄' });
      expect((await ask('白鹳山庄的退房时间是几点？', there)).response).toContain('中午十二点');
      expect((await ask('白鹳山庄可以带狗吗', there)).response).toBe('可以，请牵绳。');
      const again = await importAll(archive, there);
      expect(again.body).toEqual({
        documents: 0,
        pairs: 0,
        unchanged: archive.documents.length + archive.pairs.length,
      });
    } finally {
      await other.end();
    }
  });

  test('an archive cannot overwrite the handbook', async () => {
    const documents = (await reader.call<KnowledgeDocumentPage>('GET', '/api/knowledge/documents?limit=100'))
      .body;
    const pairs = (await reader.call<KnowledgePairPage>('GET', '/api/knowledge/pairs?limit=100')).body;
    const page = documents.documents.find(({ isHandbook }) => isHandbook)!;
    const pair = pairs.pairs.find(({ isHandbook }) => isHandbook)!;
    const archive = archiveOf(
      [{ id: page.id, title: '假手册', type: 'markdown', text: '# 假\n\n假手册的内容。', createdAt }],
      [{ id: pair.id, question: '朱鹮是什么', variants: [], answer: '一种鸟', createdAt }],
    );
    expect((await importAll(archive)).body).toEqual({ documents: 1, pairs: 1, unchanged: 0 });
    expect((await importAll(archive)).body).toEqual({ documents: 0, pairs: 0, unchanged: 2 });
    const after = await reader.call<{ document: { title: string } }>(
      'GET',
      `/api/knowledge/documents/${page.id}`,
    );
    expect(after.body.document.title).toBe(page.title);
    expect((await ask(pair.question)).response).toBe(pair.answer);
    expect((await ask('朱鹮是什么')).response).toBe('一种鸟');
  });

  test('an error names the field, and items before it stay imported', async () => {
    const good = { id: 'b'.repeat(24), question: '戴胜吃什么', variants: [], answer: '虫子', createdAt };
    const stopped = await importAll(archiveOf([], [good, { ...good, id: 'x' }]));
    expect([stopped.status, stopped.body.field]).toEqual([400, 'pairs.1.id']);
    expect(stopped.body.msg).toContain('1');
    expect((await ask('戴胜吃什么')).response).toBe('虫子');
    const document = { id: 'c'.repeat(24), title: 't', type: 'text', text: 'x', createdAt };
    for (const [archive, field] of [
      [{}, 'format'],
      [archiveOf([{ ...document, owner: 'user:1' }], []), 'documents.0.owner'],
      [archiveOf([{ ...document, text: { $gt: '' } }], []), 'documents.0.text'],
      [archiveOf([{ ...document, type: 'exe' }], []), 'documents.0.type'],
      [archiveOf([{ ...document, createdAt: 'yesterday' }], []), 'documents.0.createdAt'],
      [{ ...archiveOf([], []), format: 'consultation-desk-records' }, 'format'],
      [{ ...archiveOf([], []), pairs: {} }, 'pairs'],
    ] as const) {
      const { status, body } = await importAll(archive);
      expect([field, status, body.field]).toEqual([field, 400, field]);
    }
  });
});
