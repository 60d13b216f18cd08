import { expect, test } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { FoundRecord, SearchPage } from 'api/contract/search';
import { failure } from 'host/stand-ins';
import { openChat, pass, settle } from '../testing/open-chat.tsx';
import { conversation, record } from '../testing/samples.ts';

const box = () => screen.getByRole('searchbox', { name: '搜索会话' });
const results = () => screen.getByRole('group', { name: '搜索结果' });
const found = (id: string, fields: Partial<FoundRecord> = {}): FoundRecord => ({
  ...record(id, fields),
  highlights: [],
  ...fields,
});
const page = (records: FoundRecord[], fields: Partial<SearchPage> = {}): SearchPage => ({
  records,
  total: records.length,
  totalIsMore: false,
  nextCursor: null,
  ...fields,
});
const searched = (calls: { url: string; body: unknown }[]) =>
  calls.filter(({ url }) => url === '/api/search').map(({ body }) => body);
const pause = () => pass(300);
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const search = (text: string) => {
  type(text);
  fireEvent.keyDown(box(), { key: 'Enter' });
};

test('searches for typed text once, lists results by day with highlights, and Escape restores the list', async () => {
  const { user, calls } = await openChat({
    conversations: [conversation('c1')],
    answers: {
      'POST /api/search': () =>
        page([
          found('r2', {
            question: '退款几天到账',
            answer: '**三**个工作日，退款原路返回[1]',
            contact: { id: '13800138000', name: '张三' },
            createdAt: new Date().toISOString(),
            highlights: [
              { field: 'question', start: 0, end: 2 },
              { field: 'answer', start: 10, end: 12 },
            ],
          }),
          found('r1', { question: '退款', createdAt: '2020-07-08T04:00:00.000Z' }),
        ]),
    },
  });
  type('退');
  type('退款');
  expect(searched(calls)).toEqual([]);
  await pause();
  expect(searched(calls)).toEqual([{ text: '退款' }]);
  expect(screen.queryByRole('group', { name: '会话列表' })).toBeNull();
  expect(screen.getByText('找到 2 条')).toHaveRole('status');
  expect(
    within(results())
      .getAllByRole('heading')
      .map(({ textContent }) => textContent),
  ).toEqual(['今天', '2020 年 7 月 8 日']);
  const [link] = within(results()).getAllByRole('link');
  expect(link).toHaveTextContent('退款几天到账三个工作日，退款原路返回张三');
  expect([...link!.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['退款', '退款']);
  expect(link).toHaveAttribute('href', '/index?c=c1&r=r2');

  link!.focus();
  await user.keyboard('{ArrowDown}');
  expect(within(results()).getAllByRole('link')[1]).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('group', { name: '会话列表' })).toBeInTheDocument();
  expect(box()).toHaveValue('');
  expect(box()).toHaveFocus();

  type('退款');
  await user.click(screen.getByRole('button', { name: '结束搜索' }));
  expect(box()).toHaveValue('');
  expect(box()).toHaveFocus();
});

test('shows conversations whose title has the words first', async () => {
  await openChat({
    answers: {
      'POST /api/search': () =>
        page([], { conversations: [{ ...conversation('c9'), title: '王府井门店装修' }] }),
    },
  });
  search('装修');
  await pause();
  expect(within(results()).getByRole('heading', { name: '标题' })).toBeInTheDocument();
  expect(within(results()).getByRole('link')).toHaveAttribute('href', '/index?c=c9');
  expect(screen.getByText('找到 1 条')).toHaveRole('status');
});

test('does not search while an input method is composing', async () => {
  const { calls } = await openChat({ answers: { 'POST /api/search': () => page([]) } });
  fireEvent.compositionStart(box());
  fireEvent.input(box(), { target: { value: 'tui' }, isComposing: true });
  await pause();
  expect(searched(calls)).toEqual([]);
  fireEvent.input(box(), { target: { value: '退' }, isComposing: true });
  fireEvent.compositionEnd(box());
  await pause();
  expect(searched(calls)).toEqual([{ text: '退' }]);
  expect(screen.getAllByText('没有找到').length).toBeGreaterThan(0);
});

test('continues to search while pages of results are empty', async () => {
  const { calls } = await openChat({
    answers: {
      'POST /api/search': ({ body }) => {
        const { cursor } = body as { cursor?: string };
        if (!cursor) return page([], { total: 0, totalIsMore: true, nextCursor: '1' });
        if (cursor === '1') return page([], { total: 0, totalIsMore: true, nextCursor: '2' });
        return page([found('r1')], { total: 0, totalIsMore: true });
      },
    },
  });
  search('a');
  await settle();

  expect(searched(calls)).toEqual([{ text: 'a' }, { text: 'a', cursor: '1' }, { text: 'a', cursor: '2' }]);
  expect(screen.queryByText('没有找到')).toBeNull();
  expect(screen.getByText('找到 1 条')).toBeInTheDocument();
});

test('loads further pages by cursor, and retries after a failure', async () => {
  let isDown = true;
  const { user, calls } = await openChat({
    answers: {
      'POST /api/search': ({ body }) => {
        if (isDown) throw failure(503, 'unavailable', '服务器正忙');
        const { cursor } = body as { cursor?: string };
        return cursor
          ? page([found('r1'), found('r0')], { total: 10_000, totalIsMore: true })
          : page([found('r2'), found('r1')], { total: 10_000, totalIsMore: true, nextCursor: 'next' });
      },
    },
  });
  search('a');
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent('服务器正忙');
  isDown = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  await settle();
  expect(screen.getByText('找到至少 10,000 条')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: '显示更多' }));
  await settle();
  expect(within(results()).getAllByRole('link')).toHaveLength(3);
  expect(searched(calls).at(-1)).toEqual({ text: 'a', cursor: 'next' });
  expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull();
});

test('ignores a late result of an earlier search', async () => {
  const waiting: ((page: SearchPage) => void)[] = [];
  await openChat({
    answers: { 'POST /api/search': () => new Promise((resolve) => waiting.push(resolve)) },
  });
  search('a');
  search('b');
  waiting[1]!(page([found('later')]));
  waiting[0]!(page([found('earlier')]));
  await settle();
  expect(results()).toHaveTextContent('question later');
});

test('loads more results of the shown search until another one is submitted', async () => {
  const answers: ((page: SearchPage) => void)[] = [];
  const { user, calls } = await openChat({
    answers: { 'POST /api/search': () => new Promise((resolve) => answers.push(resolve)) },
  });
  const answer = async (id: string) => {
    answers.shift()!(page([found(id)], { nextCursor: `after ${id}` }));
    await settle();
  };
  const more = () => user.click(screen.getByRole('button', { name: '显示更多' }));
  search('refund');
  await settle();
  await answer('r1');
  fireEvent.input(box(), { target: { value: 'invoice' }, isComposing: true });
  await more();
  expect(searched(calls).at(-1)).toEqual({ text: 'refund', cursor: 'after r1' });
  await answer('r2');
  expect(within(results()).getAllByRole('link')).toHaveLength(2);

  search('invoice');
  await settle();
  expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull();
  fireEvent.scroll(results());
  await answer('i1');
  expect(searched(calls)).toEqual([
    { text: 'refund' },
    { text: 'refund', cursor: 'after r1' },
    { text: 'invoice' },
  ]);
  expect(within(results()).getAllByRole('link')).toHaveLength(1);
});

test('opens an old record by its address: loads pages until it is found and marks it', async () => {
  const records = Array.from({ length: 450 }, (_, at) => record(`r${450 - at}`));
  const { calls, user, address } = await openChat({ path: '/index?c=c1&r=r17', records });
  await settle();
  await settle();
  const marked = screen.getAllByRole('article', { current: true });
  expect(marked.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('question r17'),
    expect.stringContaining('answer r17'),
  ]);
  const reads = calls.filter(({ url }) => url.endsWith('/records')).map(({ params }) => params.limit);
  // 50 are saved in the browser.
  expect(reads.filter((limit) => limit !== 50)).toEqual([20, 100, 100, 100, 100, 100]);

  await user.type(screen.getByPlaceholderText('请输入问题'), '接着问{Enter}');
  await settle();
  expect(screen.queryAllByRole('article', { current: true })).toEqual([]);
  expect(address()).toBe('/index?c=c1');
});

test('reports a missing record and shows the conversation anyway', async () => {
  const { toasts } = await openChat({ path: '/index?c=c1&r=gone', records: [record('r1')] });
  await settle();
  expect(toasts).toMatchObject([{ kind: 'info', text: '没有找到这条记录，它可能已被删除' }]);
  expect(screen.getAllByRole('article')).toHaveLength(2);
});

test('a result of the open conversation scrolls to its record, also the second time', async () => {
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r2'), record('r1')],
    answers: { 'POST /api/search': () => page([found('r2'), found('r1')]) },
  });
  search('a');
  await settle();
  for (const [at, question] of [
    [1, 'question r1'],
    [0, 'question r2'],
  ] as const) {
    await user.click(within(results()).getAllByRole('link')[at]!);
    await settle();
    expect(screen.getAllByRole('article', { current: true })[0]).toHaveTextContent(question);
  }
});
