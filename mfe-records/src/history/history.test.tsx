import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { layOut } from '../testing/lay-out.ts';
import { detail, list, openHistory as open } from '../testing/open-history.tsx';
import { sampleRecord, sampleRecords } from '../testing/sample-records.ts';

const NOON = new Date(2026, 10, 20, 12);

beforeEach(() => layOut());

test('groups records by day and shows the newest in full', async () => {
  open([
    sampleRecord({ id: 'b', question: '今天的问题', createdAt: NOON.toISOString() }),
    sampleRecord({ id: 'a', question: '昨天的问题', createdAt: new Date(2026, 10, 19, 9, 5).toISOString() }),
    sampleRecord({ id: '0', question: '昨天半夜', createdAt: new Date(2026, 10, 19, 0, 5).toISOString() }),
  ]);

  const today = await screen.findByRole('region', { name: /11 月 20 日 周五/ });
  expect(within(today).getByRole('link', { name: '今天的问题' })).toBeVisible();
  const yesterday = screen.getByRole('region', { name: /11 月 19 日 周四/ });
  expect(within(yesterday).getByText('09:05')).toBeVisible();
  expect(within(yesterday).getByText('00:05')).toBeVisible();
  expect(within(detail()).getByRole('heading', { name: '今天的问题' })).toBeVisible();
  expect(screen.getByText('3 条')).toBeVisible();
});

test('shows the record in the address with its answer and sources', async () => {
  const { user, address } = open(
    [
      sampleRecord({ id: 'new', question: '新的' }),
      sampleRecord({
        id: 'old',
        question: '旧的',
        conversationId: 'c/7',
        createdAt: '2026-11-19T09:00:00.000Z',
      }),
    ],
    { path: '/history?source=document' },
  );

  await user.click(await screen.findByRole('link', { name: '旧的' }));

  expect(address()).toBe('/history?source=document&r=old');
  expect(within(detail()).getByRole('heading', { name: '旧的' })).toBeVisible();
  expect(within(detail()).getByText('3 至 5 个工作日').tagName).toBe('STRONG');
  expect(within(detail()).getByText('依据资料回答')).toBeVisible();
  expect(within(detail()).getByRole('link', { name: '打开会话' })).toHaveAttribute(
    'href',
    '/index?c=c%2F7&r=old',
  );
  await user.click(within(detail()).getByRole('button', { name: '引用 1' }));
  expect(document.activeElement).toHaveTextContent('退款政策');
});

test('headings of an answer continue the outline below its question, without gaps', async () => {
  open([sampleRecord({ question: '怎样做？', answer: '## a\n\n#### b\n\n# c' })]);

  await screen.findByRole('heading', { name: 'a' });
  const headings = within(detail()).getAllByRole('heading').slice(0, 4);
  expect(headings.map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
    'H2 怎样做？',
    'H3 a',
    'H4 b',
    'H3 c',
  ]);
});

test('a citation mark works like a button by keyboard, and no line breaks before it', async () => {
  const { user } = open([sampleRecord()]);

  const mark = await screen.findByRole('button', { name: '引用 1' });
  // Browsers break lines next to boxes such as button elements, even next to U+2060.
  expect(mark.tagName).toBe('SPAN');
  expect(mark.previousSibling?.textContent).toBe('\u2060');
  for (const key of ['{Enter}', ' ']) {
    mark.focus();
    await user.keyboard(key);
    expect(document.activeElement).toHaveTextContent('退款政策');
  }
});

test('shows the duration of an immediate answer as under a tenth of a second', async () => {
  open([sampleRecord({ createdAt: '2026-11-20T09:00:00.000Z', answeredAt: '2026-11-20T09:00:00.040Z' })]);

  expect(await screen.findByText('用时不到 0.1 秒')).toBeVisible();
});

test('measures the duration of a repeated answer from its repetition', async () => {
  const createdAt = '2026-11-20T09:00:00.000Z';
  const answerStartedAt = '2026-11-20T09:01:50.000Z';
  open([sampleRecord({ createdAt, answerStartedAt, answeredAt: '2026-11-20T09:01:51.500Z' })]);

  expect(await screen.findByText('用时 1.5 秒')).toBeVisible();
});

test('shows the newest record if the address has none', async () => {
  const { callsTo } = open([sampleRecord({ id: 'new', question: '新的' })], { path: '/history?r=' });

  expect(
    await within(await screen.findByRole('article')).findByRole('heading', { name: '新的' }),
  ).toBeVisible();
  expect(callsTo('/api/records/')).toEqual([]);
});

test('loads a record separately that is not in the list', async () => {
  const records = sampleRecords(80, NOON);
  const { user } = open(records, { path: '/history?r=r-79' });

  expect(await screen.findByRole('article', { name: '记录详情' })).toBeVisible();
  expect(within(detail()).getByRole('heading', { name: records[79]?.question ?? '' })).toBeVisible();
  // A change of this record is shown, too.
  await user.click(within(detail()).getByRole('button', { name: '有帮助' }));
  expect(within(detail()).getByRole('button', { name: '有帮助' })).toHaveAttribute('aria-pressed', 'true');
});

test('reports a deleted record and offers the bin', async () => {
  open(sampleRecords(3, NOON), { path: '/history?r=nowhere' });

  expect(await screen.findByRole('heading', { name: '这条记录不在了' })).toBeVisible();
  expect(screen.getByRole('link', { name: '打开回收站' })).toHaveAttribute('href', '/history?bin=1');
});

test('highlights the searched words in the list and in the answer', async () => {
  open([sampleRecord({ question: '退款多久到账？', answer: '**退款**三天到账，`退款` 单号在页尾。' })], {
    path: '/history?q=退款',
  });

  await screen.findByRole('article', { name: '记录详情' });
  const marks = (element: HTMLElement) =>
    [...element.querySelectorAll('mark')].map(({ textContent }) => textContent);
  expect(marks(within(list()).getByRole('listitem'))).toEqual(['退款', '退款', '退款']);
  expect(marks(detail())).toEqual(['退款', '退款', '退款']);
});

test('opens the document of a source with the quote highlighted, and its page', async () => {
  const { user } = open([sampleRecord()]);

  await user.click(await screen.findByRole('button', { name: '打开原文，引用 1' }));

  const dialog = await screen.findByRole('dialog', { name: '退款政策' });
  expect((await within(dialog).findByText('自受理之日起 3 至 5 个工作日')).closest('mark')).not.toBeNull();
  expect(within(dialog).getAllByText('第 2 页')[0]).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a withdrawn source shows its title, and cannot be opened', async () => {
  const source = { title: '已撤回', quote: '', start: 0, end: 0, href: '/api/passages/p1' };
  open([sampleRecord({ answer: '内容已撤回。', citations: [{ ...source, isWithdrawn: true }] })]);

  const sources = within(await screen.findByRole('region', { name: '引用' }));
  expect(sources.getByText('已撤回')).toBeVisible();
  expect(sources.queryByRole('button')).toBeNull();
});

test('shows raw HTML in an answer as text, and unsafe links as text', async () => {
  open([
    sampleRecord({
      answer: '<img src=x onerror=alert(1)> [看](javascript:alert(1)) [外](https://example.com) [9]',
    }),
  ]);

  await screen.findByRole('article', { name: '记录详情' });
  expect(within(detail()).getByText(/<img src=x/)).toBeVisible();
  expect(within(detail()).queryByRole('img')).toBeNull();
  expect(within(detail()).queryByRole('link', { name: '看' })).toBeNull();
  expect(within(detail()).getByRole('link', { name: '外' })).toHaveAttribute(
    'rel',
    expect.stringContaining('noopener'),
  );
  expect(within(detail()).getByText(/\[9\]/)).toBeVisible();
});

test('renders only visible rows and loads more near the end', async () => {
  const { user, searches } = open(sampleRecords(400, NOON));

  expect(await screen.findByText('400 条')).toBeVisible();
  expect(within(list()).getAllByRole('listitem').length).toBeLessThan(40);
  within(list()).getAllByRole('link')[0]?.focus();
  await user.keyboard('{End}');

  await waitFor(() => expect(searches().length).toBeGreaterThan(1));
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-record', 'r-49'));
  expect(searches().map(({ body }) => (body as { limit: number }).limit)).toEqual([50, 100]);
  expect(within(list()).getAllByRole('listitem').length).toBeLessThan(60);
});

test('shows that there are more records than can be counted', async () => {
  open(sampleRecords(10_001, NOON));

  expect(await screen.findByText('10,000+ 条')).toBeVisible();
});

test('screen readers get the position of a row among all matching records, and no total while it is unknown', async () => {
  const positions = () => {
    const rows = within(list()).getAllByRole('listitem');
    return rows
      .slice(0, 2)
      .map((row) => [row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]);
  };
  const { unmount } = open(sampleRecords(400, NOON));
  await screen.findByText('400 条');
  expect(positions()).toEqual([
    ['1', '400'],
    ['2', '400'],
  ]);
  unmount();

  open(sampleRecords(10_001, NOON));
  await screen.findByText('10,000+ 条');
  expect(positions()).toEqual([
    ['1', '-1'],
    ['2', '-1'],
  ]);
});

test('keeps the list when a page fails to load, and retries', async () => {
  let isDown = false;
  const { user } = open(sampleRecords(60, NOON), {
    first: ({ url }) => {
      if (isDown && url === '/api/search') throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  await screen.findByText('60 条');

  isDown = true;
  within(list()).getAllByRole('link')[0]?.focus();
  await user.keyboard('{End}');
  expect(await screen.findByText('服务暂时不可用')).toBeVisible();

  isDown = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(screen.queryByText('服务暂时不可用')).toBeNull());
  expect(screen.queryByRole('button', { name: '载入更早的记录' })).toBeNull();
});

test('refreshes the list when the page becomes visible again', async () => {
  const { server } = open(sampleRecords(60, NOON));
  await screen.findByText('60 条');

  server.records = [
    sampleRecord({
      id: 'new',
      question: '刚在手机上问的',
      createdAt: new Date(2026, 10, 20, 13).toISOString(),
    }),
    ...server.records.slice(0, 2),
    ...server.records.slice(3),
  ];
  act(() => void window.dispatchEvent(new Event('focus')));

  expect(await screen.findByRole('link', { name: '刚在手机上问的' })).toBeVisible();
  expect(list().querySelector('[data-record="r-2"]')).toBeNull();
  expect(screen.getByText('60 条')).toBeVisible();
});

test('without any records, explains the screen and where to start', async () => {
  open([]);

  expect(await screen.findByRole('heading', { name: '还没有记录' })).toBeVisible();
  expect(screen.getByRole('link', { name: '去咨询' })).toHaveAttribute('href', '/index');
});

test('offers to clear the filters if nothing was found', async () => {
  const { user, address } = open(sampleRecords(3, NOON), { path: '/history?q=没有这个词' });

  const heading = await screen.findByRole('heading', { name: '没有符合条件的记录' });
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('0 条');
  const place = heading.parentElement as HTMLElement;
  await user.click(within(place).getByRole('button', { name: '清除条件' }));

  expect(await screen.findByText('3 条')).toBeVisible();
  expect(address()).toBe('/history');
});

test('contact and words of an old link move to the fragment, which is sent to no server', async () => {
  const contact = { id: '13800138000', name: '张三' };
  const records = [sampleRecord({ id: 'a', question: '退款问题', contact }), sampleRecord({ id: 'b' })];
  const { user, address } = open(records, { path: '/history?q=退款&contact=13800138000&source=document' });

  await user.click(await screen.findByRole('link', { name: /退款\s*问题/ }));
  const hidden = new URLSearchParams({ q: '退款', contact: '13800138000' });
  expect(address()).toBe(`/history?source=document&r=a#${hidden}`);
  expect(screen.getByRole('link', { name: '回收站' })).toHaveAttribute(
    'href',
    `/history?source=document&r=a&bin=1#${hidden}`,
  );
  await user.keyboard('{Escape}');
  expect(address()).toBe(`/history?source=document#${hidden}`);
});

test('distinguishes an unreachable server from a lost network', async () => {
  open([], {
    first: ({ url }) => {
      if (url === '/api/search') throw failure(0, 'offline', '连不上服务器，请检查网络后再试');
    },
  });

  expect(await screen.findByRole('heading', { name: '记录暂时打不开' })).toBeVisible();
  expect(screen.getByText('连不上服务器，请检查网络后再试')).toBeVisible();
});

test('reports being offline and reloads when online again', async () => {
  let isOffline = true;
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open([sampleRecord()], {
    first: ({ url }) => {
      if (isOffline && url === '/api/search') throw failure(0, 'offline', '网络已断开');
    },
  });
  expect(await screen.findByRole('heading', { name: '网络已断开' })).toBeVisible();

  isOffline = false;
  act(() => void window.dispatchEvent(new Event('online')));

  expect(await screen.findByText('1 条')).toBeVisible();
  onLine.mockRestore();
});

test('loads the records of the new owner after a sign-in', async () => {
  const { services, server } = open([sampleRecord({ question: '访客问的' })]);
  await screen.findByRole('link', { name: '访客问的' });

  server.records = [sampleRecord({ id: 'r-9', question: '账号里的' })];
  act(() => services.session.signIn('token', 'lin'));

  expect(await screen.findByRole('link', { name: '账号里的' })).toBeVisible();
  expect(screen.queryByRole('link', { name: '访客问的' })).toBeNull();
});

test('distinguishes an interrupted answer from an unanswered question', async () => {
  open([
    sampleRecord({
      id: 'f',
      question: '断的',
      status: 'failed',
      source: 'none',
      citations: [],
      answer: '说到一半',
    }),
    sampleRecord({
      id: 'n',
      question: '没有依据的',
      source: 'none',
      citations: [],
      createdAt: '2026-11-20T09:00:00Z',
    }),
  ]);

  await screen.findByRole('article', { name: '记录详情' });
  const [failed, none] = within(list()).getAllByRole('listitem');
  expect(failed).toHaveTextContent('回答中断');
  expect(none).toHaveTextContent('未答');
  expect(within(detail()).getByText('回答中断，已说的内容已保留')).toBeVisible();
});

test('shows pictures and downloads files of a question, both loaded with the session', async () => {
  const saved: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  const file = { id: 'f-1', name: '退款单.pdf', kind: 'pdf', chars: 10, pages: 1, url: '/api/files/f-1' };
  const { user, callsTo } = open(
    [
      sampleRecord({
        isImage: true,
        url: '/api/files/i-1',
        imgUrls: ['/api/files/i-1'],
        files: [{ ...file, id: 'i-1', kind: 'image', url: '/api/files/i-1' }, file],
      }),
    ],
    { first: ({ url }) => (url.startsWith('/api/files/') ? new Blob(['x']) : undefined) },
  );

  const picture = await screen.findByRole('img', { name: '提问时附上的图片' });
  expect(picture).toHaveAttribute('src', 'blob:picture');
  // In the row, a picture is not counted as a file, too.
  expect(screen.getByText('1 张图片')).toBeVisible();
  expect(screen.getByText('1 个文件')).toBeVisible();
  await user.click(within(detail()).getByRole('button', { name: '退款单.pdf' }));

  await waitFor(() => expect(saved).toEqual(['退款单.pdf']));
  expect([callsTo('/api/files/i-1').length, callsTo('/api/files/f-1').length]).toEqual([1, 1]);
});

test('shows a rating immediately, removes it on the second press, and adds a note', async () => {
  const { user, server, calls } = open([sampleRecord()]);
  await screen.findByRole('article', { name: '记录详情' });

  await user.click(within(detail()).getByRole('button', { name: '没有帮助' }));
  expect(within(detail()).getByRole('button', { name: '没有帮助' })).toHaveAttribute('aria-pressed', 'true');
  await user.click(within(detail()).getByRole('button', { name: '补充说明' }));
  await user.type(within(detail()).getByRole('textbox', { name: /补充说明/ }), '到账日期不对');
  await user.click(within(detail()).getByRole('button', { name: '保存' }));
  await waitFor(() => expect(server.records[0]?.feedback).toEqual({ rating: -1, note: '到账日期不对' }));

  await user.click(within(detail()).getByRole('button', { name: '没有帮助' }));
  expect(within(detail()).getByRole('button', { name: '没有帮助' })).toHaveAttribute('aria-pressed', 'false');
  expect(calls.at(-1)?.body).toEqual({ recordId: 'r-1', rating: 0 });
});

test('changing a rating keeps its note', async () => {
  const { user, server } = open([sampleRecord({ feedback: { rating: -1, note: '到账日期不对' } })]);
  await screen.findByRole('article', { name: '记录详情' });
  await user.click(within(detail()).getByRole('button', { name: '有帮助' }));
  await waitFor(() => expect(server.records[0]?.feedback).toEqual({ rating: 1, note: '到账日期不对' }));
  expect(within(detail()).getByText('到账日期不对')).toBeVisible();
});

test('a note that was emptied is removed', async () => {
  const { user, server } = open([sampleRecord({ feedback: { rating: -1, note: '到账日期不对' } })]);
  await screen.findByRole('article', { name: '记录详情' });
  await user.click(within(detail()).getByRole('button', { name: '修改说明' }));
  await user.clear(within(detail()).getByRole('textbox', { name: /补充说明/ }));
  await user.click(within(detail()).getByRole('button', { name: '保存' }));
  await waitFor(() => expect(server.records[0]?.feedback).toEqual({ rating: -1, note: '' }));
});

test('a rating and its removal are announced', async () => {
  const { user } = open([sampleRecord()]);
  await screen.findByRole('article', { name: '记录详情' });
  await user.click(within(detail()).getByRole('button', { name: '没有帮助' }));
  expect(within(detail()).getByRole('status')).toHaveTextContent('已评价：没有帮助');
  await user.click(within(detail()).getByRole('button', { name: '没有帮助' }));
  expect(within(detail()).getByRole('status')).toHaveTextContent('已取消评价');
});

test('Escape leads from the record in the address to the list, except while typing', async () => {
  const { user, address } = open([
    sampleRecord({ id: 'new' }),
    sampleRecord({ id: 'old', question: '旧的' }),
  ]);
  await user.click(await screen.findByRole('link', { name: '旧的' }));
  await user.click(screen.getByRole('searchbox'));
  await user.keyboard('{Escape}');
  expect(address()).toBe('/history?r=old');
  act(() => within(detail()).getByRole('button', { name: '有帮助' }).focus());
  await user.keyboard('{Escape}');
  expect(address()).toBe('/history');
  expect(screen.getByRole('link', { name: '旧的' })).toHaveFocus();
});

test('removes a rating that could not be saved, and reports it', async () => {
  const { user, toasts } = open([sampleRecord()], {
    first: ({ url }) => {
      if (url === '/api/feedback') throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  await screen.findByRole('article', { name: '记录详情' });

  await user.click(within(detail()).getByRole('button', { name: '有帮助' }));

  await waitFor(() => expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '服务暂时不可用' }));
  expect(within(detail()).getByRole('button', { name: '有帮助' })).toHaveAttribute('aria-pressed', 'false');
});

test('a rating that is pressed before another one failed is sent after it, and stays', async () => {
  const first = Promise.withResolvers<void>();
  const { user, server, toasts, calls } = open([sampleRecord()], {
    first: ({ url }) => {
      if (url !== '/api/feedback' || ratings().length > 1) return;
      return first.promise.then(() => {
        throw failure(503, 'unavailable', '服务暂时不可用');
      });
    },
  });
  const ratings = () => calls.filter(({ url }) => url === '/api/feedback');
  await screen.findByRole('article', { name: '记录详情' });

  await user.click(within(detail()).getByRole('button', { name: '有帮助' }));
  await user.click(within(detail()).getByRole('button', { name: '没有帮助' }));
  expect(ratings()).toHaveLength(1);
  first.resolve();

  await waitFor(() => expect(server.records[0]?.feedback).toMatchObject({ rating: -1 }));
  expect(toasts).toMatchObject([{ kind: 'error', text: '服务暂时不可用' }]);
  expect(within(detail()).getByRole('button', { name: '没有帮助' })).toHaveAttribute('aria-pressed', 'true');
});

test('shows the model, its reasoning, and later answers of editors', async () => {
  open([
    sampleRecord({
      kind: 'predict',
      source: 'none',
      answer: '知识库里没有足够的依据。',
      citations: [],
      model: 'qwen3',
      reasoning: '先看保修条款。',
      answeredSince: { pairId: 'p-1', answer: '保修期 **两年**。', at: NOON.toISOString() },
    }),
  ]);

  const shown = await screen.findByRole('article', { name: '记录详情' });
  expect(within(shown).getByText('模型 qwen3')).toBeVisible();
  expect(within(shown).getByText('依据文件')).toBeVisible();
  expect(within(shown).getByText('先看保修条款。').closest('details')).not.toHaveAttribute('open');
  const since = within(shown).getByRole('region', { name: '现在有答案了' });
  expect(within(since).getByText('两年').tagName).toBe('STRONG');
});

test('is translated to English', async () => {
  open([sampleRecord({ createdAt: NOON.toISOString() })], { language: 'en' });

  expect(await screen.findByRole('region', { name: 'Nov 20 Fri' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Records' })).toBeVisible();
  expect(screen.getByText('Answered from documents')).toBeVisible();
});

test('prints all loaded records, and how many more there are', async () => {
  open(sampleRecords(120, NOON));
  await screen.findByText('120 条');
  const shown = () => within(list()).getAllByRole('listitem').length;
  await waitFor(() => expect(shown()).toBeLessThan(50));

  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(shown()).toBe(50);
  expect(within(list()).getByText('以上是 120 条中最新的 50 条。要全部，请用「生成 PDF」。')).toBeVisible();
  act(() => void window.dispatchEvent(new Event('afterprint')));

  expect(shown()).toBeLessThan(50);
});

test('sets the text direction for questions, answers and quotes, and shows code in quotes as code', async () => {
  const quote = '`GUEST_DAYS` **بعد** الاستخدام';
  const citations = [{ title: 'دليل', quote, start: 0, end: quote.length, href: '/api/passages/p-1' }];
  open([
    sampleRecord({
      id: 'r-0',
      question: 'متى يصل المبلغ؟',
      answer: 'خلال ثلاثة أيام.\n\nafterwards',
      citations,
    }),
  ]);

  const question = await screen.findByRole('heading', { name: 'متى يصل المبلغ؟' });
  expect(question).toHaveAttribute('dir', 'auto');
  expect(within(detail()).getByText('خلال ثلاثة أيام.')).toHaveAttribute('dir', 'auto');
  expect(within(detail()).getByText('afterwards')).toHaveAttribute('dir', 'auto');
  const code = within(detail()).getByText('GUEST_DAYS');
  expect(code.tagName).toBe('CODE');
  expect(code.closest('q')).toHaveAttribute('dir', 'auto');
  expect(code.closest('q')).not.toHaveTextContent('*');
});
