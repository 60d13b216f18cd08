import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import type { PdfRequest } from '../../contract/archives.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import { createScriptedAnswerer, final } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { until } from '../../testing/until.ts';
import { createVisitor, type Visitor } from '../../testing/visitor.ts';

const answerer = createScriptedAnswerer(async function* ({ text }) {
  yield { kind: 'text', text: `关于${text}的回答` };
  yield final;
});
let visitor: Visitor;

const api = await startTestApi({ answerer });
afterAll(() => api.end());
beforeEach(() => {
  visitor = createVisitor(api.url);
});

const ask = (text: string, more: object = {}) => visitor.ask(text, more);

function request(body: PdfRequest | object, init: RequestInit = {}): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...init.headers };
  return visitor.fetch('POST', '/api/generate_pdf', { ...init, headers, body: JSON.stringify(body) });
}

async function refused(body: object, headers: Record<string, string> = {}) {
  return visitor.call<ErrorBody>('POST', '/api/generate_pdf', body, headers);
}

async function textOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: true });
  return text.replaceAll(/\s+/g, '');
}

describe('POST /api/preview_pdf', () => {
  const preview = (body: PdfRequest) =>
    visitor.fetch('POST', '/api/preview_pdf', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('returns the complete PDF of a few records', async () => {
    await ask('如何退款？', { contact: '13800138000', contactName: '张三' });
    const response = await preview({ filter: {}, title: '张三的报告', mask: true });
    expect(response.headers.get('x-records')).toBe('1');
    const text = await textOf(response);
    expect(text).toContain('张*的报告');
    expect(text).toContain('第1页，共3页');
    expect(text).toContain('SHA-256');
  });

  test('returns the first of many records, with the totals and masked names of all', async () => {
    await ask('最早的问题', { contact: '13800138000', contactName: '张三' });
    for (let number = 0; number < 21; number += 1) await ask(`问题 ${number}`);
    const response = await preview({ filter: {}, title: '张三的报告', mask: true });
    expect(response.headers.get('x-records')).toBe('20');
    const text = await textOf(response);
    expect(text).toContain('张*的报告');
    expect(text).toMatch(/22记录/);
    expect(text).toContain('问题20');
    expect(text).not.toContain('最早的问题');
    expect(text).toContain('第1页，共…页');
    expect(text).not.toContain('SHA-256');
  });
});

describe('POST /api/generate_pdf', () => {
  test('returns the PDF of what a filter finds', async () => {
    await ask('如何退款？', { contact: '13800138000', contactName: '张三' });
    await ask('如何备份？');

    const response = await request({
      filter: { contact: '张三', tz: 'Asia/Shanghai' },
      title: '退款 (2026)：不能',
    });

    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'x-pages': '3',
      'content-disposition':
        'attachment; filename="report.pdf"; ' +
        "filename*=UTF-8''%E9%80%80%E6%AC%BE%20%282026%29%EF%BC%9A%E4%B8%8D%E8%83%BD.pdf",
    });
    const text = await textOf(response);
    expect(text).toContain('退款(2026)：不能');
    expect(text).toContain('关于如何退款？的回答');
    expect(text).toContain('张三13800138000');
    expect(text).not.toContain('如何备份');
  });

  test('returns selected records, newest first', async () => {
    const first = await ask('第一个问题');
    await ask('不要的问题');
    const third = await ask('第三个问题');

    const text = await textOf(await request({ ids: [first.recordId, third.recordId, first.recordId] }));

    expect(text.indexOf('第三个问题')).toBeLessThan(text.indexOf('第一个问题'));
    expect(text).not.toContain('不要的问题');
    expect(text).toContain('"chosen":true');
  });

  test("also masks the file name, and uses the visitor's language", async () => {
    await ask('Refund?', { contact: 'dana@northwind.cn' });

    const response = await request(
      { filter: {}, title: 'Report on dana@northwind.cn', mask: true },
      { headers: { 'Accept-Language': 'en' } },
    );

    expect(response.headers.get('content-disposition')).not.toContain('dana');
    const text = await textOf(response);
    expect(text).not.toContain('dana@');
    expect(text).toContain('d**@northwind.cn');
    expect(text).toContain('Page1of3');
  });

  test('returns an empty report if nothing is found', async () => {
    expect(await textOf(await request({ filter: { text: '从未问过' } }))).toContain('没有符合条件的记录');
  });

  test('excludes records of other owners, unknown ids and erased records', async () => {
    const own = await ask('我的');
    const other = visitor;
    visitor = createVisitor(api.url);
    await ask('别人');

    for (const id of [own.recordId, 'f'.repeat(24), 'nonsense', ''])
      expect(await refused({ ids: [id] })).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await textOf(await request({ filter: {} }))).not.toContain('我的');

    visitor = other;
    await visitor.call('DELETE', `/api/conversations/${own.conversationId}`);
    expect((await refused({ ids: [own.recordId] })).status).toBe(404);
    expect(await textOf(await request({ filter: {} }))).not.toContain('我的');
  });

  test.each([
    ['neither ids nor filter', {}, 'filter'],
    ['both', { ids: ['a'], filter: {} }, 'filter'],
    ['no ids', { ids: [] }, 'ids'],
    ['a long title', { filter: {}, title: 'x'.repeat(201) }, 'title'],
    ['a wrong zone', { filter: {}, tz: 'Mars/Base' }, 'tz'],
    ['a mask that is none', { filter: {}, mask: 'yes' }, 'mask'],
    ['a wrong day', { filter: { from: '2026-02-30' } }, 'filter.from'],
  ])('refuses %s', async (_name, body, field) => {
    expect(await refused(body)).toMatchObject({ status: 400, body: { error: 'invalid_request', field } });
  });

  test("reports the maximum number of records, in the visitor's language", async () => {
    await ask('有一个');
    const ids = Array.from({ length: 5001 }, (_, index) => index.toString(16).padStart(24, '0'));

    const chinese = await refused({ ids });
    const english = await refused({ ids }, { 'Accept-Language': 'en' });

    expect(chinese).toMatchObject({ status: 413, body: { error: 'too_large' } });
    expect(chinese.body.msg).toBe('共有 5001 条记录，一份 PDF 最多 5,000 条，请缩小范围');
    expect(english.body.msg).toBe(
      'There are 5001 records. A PDF can have at most 5,000. Please narrow the selection down',
    );
  });

  test('creates two reports per owner at a time and refuses the third until one has ended', async () => {
    await ask('问题');
    const three = await Promise.all([1, 2, 3].map(() => request({ filter: {} })));

    const statuses = three.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 429]);
    expect(three.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^\d+$/);
    await Promise.all(three.map((response) => response.arrayBuffer()));
    expect((await request({ filter: {} })).status).toBe(200);
  });

  test('stops when the visitor disconnects, and serves the next one', async () => {
    await ask('问题');
    for (let count = 0; count < 6; count += 1) {
      const left = new AbortController();
      const asked = request({ filter: {} }, { signal: left.signal });
      setImmediate(() => left.abort());
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    }
    // Slots are released once the server has noticed the closed connections.
    const response = await until(async () => {
      const reply = await request({ filter: {} });
      return reply.status !== 429 && reply;
    });
    expect(await textOf(response)).toContain('关于问题的回答');
  });
});
