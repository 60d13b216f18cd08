import { beforeAll, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { PdfRequest } from 'api/contract/archives';
import type { DeskOverview } from 'api/contract/overview';
import type { DeskRecord } from 'api/contract/records';
import type { RecordStats } from 'api/contract/search';
import { type Answer, type Call, failure } from 'host/stand-ins';
import { openScreen } from '../testing/open-screen.tsx';
import { createRecordServer } from '../testing/record-server.ts';
import { sampleRecord, sampleRecords } from '../testing/sample-records.ts';
import { withStats } from '../testing/stats-server.ts';
import ReportScreen from './report.tsx';

// Otherwise the first test would wait for the library to load.
beforeAll(() => import('host/ui/charts/bar-charts.tsx').then(() => undefined));

type Around = (answer: Answer) => Answer;

function open(
  records: DeskRecord[],
  path = '/report',
  language: 'zh' | 'en' = 'zh',
  around: Around = (all) => all,
  token = '',
) {
  const answer = around(withStats(createRecordServer(records).answer));
  return openScreen(ReportScreen, answer, { path, language, token });
}

/** Overrides the answer of one call. */
const instead =
  (named: string, other: Answer): Around =>
  (answer) =>
  (call: Call) =>
    `${call.method} ${call.url}` === named ? other(call) : answer(call);

const at = (day: number, hour = 9, month = 6) => new Date(2026, month, day, hour).toISOString();
const after = (asked: string, ms: number) => new Date(Date.parse(asked) + ms).toISOString();
const ZHANG = { id: '13800138000', name: '张三' };
const RECORDS = [
  sampleRecord({ id: '5', createdAt: at(5), answeredAt: after(at(5), 900), source: 'none' }),
  sampleRecord({
    id: '4',
    createdAt: at(3, 10),
    answeredAt: after(at(3, 10), 1000),
    source: 'curated',
    feedback: { rating: 1, note: '' },
  }),
  sampleRecord({
    id: '3',
    createdAt: at(3),
    answeredAt: after(at(3), 2000),
    contact: ZHANG,
    feedback: { rating: -1, note: '' },
  }),
  sampleRecord({
    id: '2',
    createdAt: at(3, 8),
    answeredAt: after(at(3, 8), 3000),
    contact: ZHANG,
    feedback: { rating: 1, note: '' },
  }),
];
const JULY = '/report?from=2026-07-01&to=2026-07-05';

function figure(name: string) {
  return screen.getByText(name, { selector: 'dt' }).parentElement;
}

const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...within(row).getAllByRole('rowheader'), ...within(row).getAllByRole('cell')])
    .map((row) => row.map(({ textContent }) => textContent));

test('shows the figures of the filter with links to their records', async () => {
  open(RECORDS, JULY);

  expect(await screen.findByText('上期没有咨询')).toBeVisible();
  expect(figure('咨询')).toHaveTextContent('咨询4');
  expect(figure('已答')).toHaveTextContent('已答75%3 条');
  expect(figure('未答')).toHaveTextContent('未答1查看未答');
  expect(figure('满意')).toHaveTextContent('满意66.7%3 条评价');
  expect(figure('用时中位数')).toHaveTextContent('用时中位数2秒');
  expect(screen.getByRole('link', { name: '查看未答' })).toHaveAttribute(
    'href',
    '/history?from=2026-07-01&to=2026-07-05&source=none',
  );
});

test('compares with the previous period of equal length', async () => {
  const { calls } = open(
    [
      ...RECORDS,
      ...['a', 'b', 'c', 'd', 'e'].map((id) =>
        sampleRecord({ id, createdAt: at(28, 9, 5), answeredAt: null }),
      ),
    ],
    JULY,
  );

  expect(await screen.findByText('比上期少 20%')).toBeVisible();
  expect(figure('已答')).toHaveTextContent('3 条，上期 100%');
  const asked = calls.filter(({ url }) => url === '/api/stats').map(({ body }) => body);
  expect(asked).toMatchObject([
    { from: '2026-07-01', to: '2026-07-05' },
    { from: '2026-06-26', to: '2026-06-30' },
  ]);
});

/** As if only the newest records that match were counted. */
const newestAlone: Around = (answer) => (call) => {
  const reply = answer(call);
  return call.url === '/api/stats' ? { ...(reply as RecordStats), totalIsMore: true } : reply;
};

test('says that only the newest matches are counted, from the first day on that has any', async () => {
  open(
    RECORDS.map((record) => ({ ...record, question: '退款' })),
    `${JULY}&q=退款`,
    'zh',
    newestAlone,
  );

  expect(await screen.findByText(/只统计了最近符合条件的 4 条/)).toBeVisible();
  expect(figure('咨询')).toHaveTextContent('咨询4+日均 1.3 条');
  expect(screen.queryByText(/上期/)).toBeNull();
  expect(screen.getByRole('img', { name: /每日咨询/ })).toHaveAccessibleName(/^7 月 3 日至 5 日每日咨询/);
  expect(screen.getByRole('button', { name: '生成 PDF，共 4+ 条' })).toBeEnabled();
});

test('does not say that no record matches if none of the newest does', async () => {
  open([], `${JULY}&q=退款`, 'zh', newestAlone);

  expect(await screen.findByText(/只统计了最近符合条件的 0 条/)).toBeVisible();
  expect(screen.queryByText('没有符合条件的记录')).toBeNull();
});

test('shows no comparison for open dates, and the daily average', async () => {
  open(RECORDS);
  await screen.findByRole('heading', { name: '每日咨询' });
  expect(figure('咨询')).toHaveTextContent('日均 1.3 条');
  expect(screen.getAllByText(/日均/)).toHaveLength(1);
});

test('presents the days as one picture with a summary, and as a table including empty days', async () => {
  const { user } = open(RECORDS, JULY);

  expect(await screen.findByRole('img', { name: /每日咨询/ })).toHaveAccessibleName(
    '7 月 1 日至 5 日每日咨询，最高为 7 月 3 日的 3 条，最低为 7 月 4 日的 0 条',
  );
  await user.click(screen.getByRole('button', { name: '查看表格：每日咨询' }));
  expect(cells(screen.getByRole('table', { name: '每日咨询' }))).toEqual([
    ['7 月 1 日', '0'],
    ['7 月 2 日', '0'],
    ['7 月 3 日', '3'],
    ['7 月 4 日', '0'],
    ['7 月 5 日', '1'],
  ]);
  expect(screen.queryByRole('img', { name: /每日咨询/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: '查看图表：每日咨询' }));
  expect(screen.queryByRole('table')).toBeNull();
});

test('the chart has a bar for each day with questions', async () => {
  open(RECORDS, JULY);
  const picture = await screen.findByRole('img', { name: /每日咨询/ });
  await waitFor(() => expect(picture.querySelectorAll('rect.accent').length).toBe(2));
});

test('shows contacts and sources as texts, tables and links to their records', async () => {
  const { user } = open(RECORDS, JULY);

  expect(await screen.findByRole('img', { name: '本人 2 条，张三 2 条' })).toBeVisible();
  expect(screen.getByRole('img', { name: '资料 2 条，问答 1 条，未答 1 条' })).toBeVisible();
  expect(screen.getByRole('img', { name: '有帮助 2 条，没有帮助 1 条，未评价 1 条' })).toBeVisible();
  expect(screen.getByRole('link', { name: '张三：查看这 2 条记录' })).toHaveAttribute(
    'href',
    '/history?from=2026-07-01&to=2026-07-05#contact=13800138000',
  );
  await user.click(screen.getByRole('button', { name: '查看表格：按来源' }));
  expect(cells(screen.getByRole('table', { name: '按来源' }))).toEqual([
    ['资料', '2', '50%'],
    ['问答', '1', '25%'],
    ['模型', '0', '0%'],
    ['人工', '0', '0%'],
    ['未答', '1', '25%'],
  ]);
  await user.click(screen.getByRole('button', { name: '查看表格：按联系人' }));
  const contacts = screen.getByRole('table', { name: '按联系人' });
  expect(within(contacts).getByRole('link', { name: '本人：查看这 2 条记录' })).toHaveAttribute(
    'href',
    '/history?from=2026-07-01&to=2026-07-05#contact=',
  );
});

test('shows the eight most frequent contacts and how many more there are', async () => {
  const many = sampleRecords(30, new Date(2026, 6, 5)).map((record, index) => ({
    ...record,
    contact: { id: `c-${index % 10}`, name: '' },
  }));
  open(many);
  expect(await screen.findByText('另有 2 位，共 6 条')).toBeVisible();
  expect(screen.getAllByRole('link', { name: /^c-\d：查看这 3 条记录$/ })).toHaveLength(8);
});

test('removing a filter in the bar updates the figures', async () => {
  const { user, address } = open(RECORDS, `${JULY}&contact=13800138000`);
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询2'));

  await user.click(screen.getByRole('button', { name: '去掉联系人条件' }));

  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询4'));
  expect(address()).toBe('/report?from=2026-07-01&to=2026-07-05');
});

test('the preview is the PDF of the same filter and options, masked by default', async () => {
  const { user, calls } = open(RECORDS, `${JULY}&contact=13800138000`);
  const previewed = () => calls.findLast(({ url }) => url === '/api/preview_pdf')?.body;

  await waitFor(() =>
    expect(previewed()).toMatchObject({
      filter: { from: '2026-07-01', to: '2026-07-05', contact: '13800138000' },
      title: '7 月 1 日至 5 日 张三咨询报告',
      mask: true,
      questionsOnly: false,
    }),
  );
  await user.click(screen.getByRole('switch', { name: /遮盖联系人/ }));
  await waitFor(() => expect(previewed()).toMatchObject({ mask: false }));
  const title = screen.getByRole('textbox', { name: '标题' });
  await user.clear(title);
  await user.type(title, '七月报告');
  await waitFor(() => expect(previewed()).toMatchObject({ title: '七月报告' }));
});

test('a preview that fails can be retried, and the PDF can be created without it', async () => {
  let asked = 0;
  const { user } = open(
    RECORDS,
    JULY,
    'zh',
    instead('POST /api/preview_pdf', () => {
      asked += 1;
      throw failure(503, 'unavailable', '服务暂时不可用');
    }),
  );
  expect(await screen.findByText('预览没有打开，报告仍可生成')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(asked).toBe(2));
  expect(screen.getByRole('button', { name: '生成 PDF，共 4 条' })).toBeEnabled();
});

test('shows shares and durations of many records', async () => {
  const rated = (index: number) => ({
    id: `r-${index}`,
    createdAt: at(3),
    answeredAt: after(at(3), 85),
    feedback: { rating: index < 40 ? 1 : -1, note: '' } as const,
  });
  open(Array.from({ length: 62 }, (_, index) => sampleRecord(rated(index))));

  await waitFor(() => expect(figure('满意')).toHaveTextContent('64.5%'));
  expect(figure('用时中位数')).toHaveTextContent('0.1秒');
});

test('creates the PDF for the same filter and downloads it', async () => {
  const saved: string[] = [];
  const made: Blob[] = [];
  URL.createObjectURL = (blob) => {
    made.push(blob as Blob);
    return 'blob:report';
  };
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = function click() {
    saved.push(this.download);
  };
  const { user, calls, toasts } = open(RECORDS, `${JULY}&source=document`);

  await user.click(await screen.findByRole('switch', { name: /只要统计与问题/ }));
  await user.click(await screen.findByRole('button', { name: '生成 PDF，共 2 条' }));

  await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success' }]));
  expect(calls.at(-1)?.body).toMatchObject({
    filter: { from: '2026-07-01', to: '2026-07-05', source: 'document' },
    title: '7 月 1 日至 5 日 资料咨询报告',
    mask: true,
    questionsOnly: true,
  });
  expect(saved).toEqual(['7 月 1 日至 5 日 资料咨询报告.pdf']);
  expect(made).toHaveLength(1);
});

test('a PDF can be cancelled; a failed one shows the reason and can be retried', async () => {
  let answer: (pdf: unknown) => void = () => undefined;
  let fail = false;
  const requests: PdfRequest[] = [];
  const { user } = open(
    RECORDS,
    JULY,
    'zh',
    instead('POST /api/generate_pdf', ({ body }) => {
      requests.push(body as PdfRequest);
      if (fail) throw failure(503, 'unavailable', '服务暂时不可用');
      return new Promise((resolve) => {
        answer = resolve;
      });
    }),
  );

  await user.click(await screen.findByRole('button', { name: /^生成 PDF/ }));
  expect(screen.getByText('正在生成，已用 0 秒', { selector: 'p' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: '取消' }));
  expect(screen.queryByRole('alert')).toBeNull();

  fail = true;
  await user.click(screen.getByRole('button', { name: /^生成 PDF/ }));
  expect(await screen.findByText('没有生成：服务暂时不可用')).toBeVisible();
  expect(screen.getByRole('button', { name: /^生成 PDF/ })).toBeEnabled();
  expect(requests).toHaveLength(2);
  answer(undefined);
});

test('retrying a PDF removes the earlier reason, and leaving the screen cancels it', async () => {
  let isDown = true;
  const { user, calls, unmount } = open(
    RECORDS,
    JULY,
    'zh',
    instead('POST /api/generate_pdf', () => {
      if (isDown) throw failure(503, 'unavailable', '服务暂时不可用');
      return new Promise(() => undefined);
    }),
  );
  const make = () => screen.findByRole('button', { name: /^生成 PDF/ });
  await user.click(await make());
  expect(await screen.findByText('没有生成：服务暂时不可用')).toBeVisible();

  isDown = false;
  await user.click(await make());

  expect(screen.queryByText('没有生成：服务暂时不可用')).toBeNull();
  await user.click(screen.getByRole('button', { name: '取消' }));
  expect(screen.queryByText('没有生成：服务暂时不可用')).toBeNull();

  await user.click(await make());
  expect(calls.at(-1)?.signal?.aborted).toBe(false);
  unmount();
  expect(calls.at(-1)?.signal?.aborted).toBe(true);
});

test('reports more than 5,000 records before sending a request', async () => {
  const stats: RecordStats = {
    total: 5001,
    answered: 5001,
    unanswered: 0,
    bySource: { document: 5001, curated: 0, model: 0, person: 0, none: 0 },
    byOutcome: { answered: 5001, related: 0, nothing: 0 },
    byDay: [{ day: '2026-07-01', count: 5001 }],
    byContact: [{ contact: null, count: 5001 }],
    satisfaction: { up: 0, down: 0 },
    medianMs: 1200,
  };
  const { user, calls } = open(
    RECORDS,
    '/report',
    'zh',
    instead('POST /api/stats', () => stats),
  );

  expect(
    await screen.findByText('一份 PDF 最多 5,000 条，现在有 5,001 条。请缩小日期范围，分几份生成'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^生成 PDF/ }));
  expect(calls.some(({ url }) => url === '/api/generate_pdf')).toBe(false);
});

test('offers a way to continue without any records, and if nothing was found', async () => {
  open([]);
  expect(await screen.findByRole('heading', { name: '还没有可统计的记录' })).toBeVisible();
  expect(screen.getByRole('link', { name: '去咨询' })).toHaveAttribute('href', '/index');
});

test('a filter without results can be cleared', async () => {
  const { user, address } = open(RECORDS, '/report?from=2020-01-01&to=2020-01-31');
  expect(await screen.findByRole('heading', { name: '没有符合条件的记录' })).toBeVisible();
  await user.click(within(screen.getByRole('main')).getAllByRole('button', { name: '清除条件' })[0]!);
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询4'));
  expect(address()).toBe('/report');
});

test('reports a failure and retries', async () => {
  let isDown = true;
  const { user } = open(RECORDS, JULY, 'zh', (answer) => (call) => {
    if (isDown && call.url === '/api/stats') throw failure(500, 'internal', '出错了');
    return answer(call);
  });
  expect(await screen.findByRole('heading', { name: '报告暂时打不开' })).toBeVisible();
  isDown = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询4'));
});

test('asks which contact is meant if a name matches several', async () => {
  const people = ['a-1', 'a-2'].map((id) =>
    sampleRecord({ id, createdAt: at(3), contact: { id, name: '李敏' } }),
  );
  const { user, address } = open(people, '/report?contact=李敏');
  await user.click(await screen.findByRole('button', { name: '李敏 a-2' }));
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询1'));
  expect(address()).toBe('/report#contact=a-2');
});

test('reports being offline and reloads when online again', async () => {
  let isOffline = true;
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open(RECORDS, JULY, 'zh', (answer) => (call) => {
    if (isOffline) throw failure(0, 'offline', '网络已断开');
    return answer(call);
  });
  expect(await screen.findByRole('heading', { name: '网络已断开' })).toBeVisible();
  isOffline = false;
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询4'));
  onLine.mockRestore();
});

test('distinguishes an unreachable server from a lost network', async () => {
  open(RECORDS, JULY, 'zh', () => () => {
    throw failure(0, 'offline', '连不上服务器，请检查网络后再试');
  });

  expect(await screen.findByRole('heading', { name: '报告暂时打不开' })).toBeVisible();
  expect(screen.getByText('连不上服务器，请检查网络后再试')).toBeVisible();
});

test('keeps figures that could not be refreshed, and says so', async () => {
  let isDown = false;
  const { user } = open(RECORDS, JULY, 'zh', (answer) => (call) => {
    if (isDown && call.url === '/api/stats') throw failure(503, 'unavailable', '服务暂时不可用');
    return answer(call);
  });
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询4'));
  isDown = true;
  await user.click(screen.getByRole('button', { name: '去掉日期条件' }));
  expect(await screen.findByText('没能更新，以下是先前的统计：服务暂时不可用')).toBeVisible();
  expect(figure('咨询')).toHaveTextContent('咨询4');
});

test('loads the figures of the new owner after a sign-in', async () => {
  const { services, calls } = open(RECORDS, JULY);
  await waitFor(() => expect(figure('咨询')).toHaveTextContent('咨询4'));
  const before = calls.filter(({ url }) => url === '/api/stats').length;
  act(() => services.session.signIn('token', 'lin'));
  await waitFor(() => expect(calls.filter(({ url }) => url === '/api/stats').length).toBe(before * 2));
});

test('changing the language changes texts only: typed title and figures stay', async () => {
  const { user, services, calls } = open(RECORDS);
  const title = await screen.findByRole('textbox', { name: '标题' });
  await user.clear(title);
  await user.type(title, '七月');
  const previews = () => calls.filter(({ url }) => url === '/api/preview_pdf');
  const titled = () => previews().filter(({ body }) => (body as PdfRequest).title === '七月');
  await waitFor(() => expect(titled()).toHaveLength(1));
  const others = () => calls.filter(({ url }) => url !== '/api/preview_pdf');
  const asked = others().length;

  act(() => services.i18n.language$.next('en'));

  expect(screen.getByRole('heading', { name: 'Report' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('七月');
  expect(screen.getByRole('heading', { name: 'Questions by day' })).toBeVisible();
  expect(others()).toHaveLength(asked);
  // Each PDF has the texts of one language, so both are requested.
  await waitFor(() => expect(titled()).toHaveLength(2));
});

test('is translated to English', async () => {
  open(RECORDS, JULY, 'en');
  expect(await screen.findByRole('img', { name: /^Questions by day/ })).toHaveAccessibleName(
    'Questions by day, Jul 1–5: most on Jul 3 (3), fewest on Jul 4 (0)',
  );
  expect(screen.getByRole('img', { name: 'Documents 2, Curated 1, Unanswered 1' })).toBeVisible();
});

/** Statistics as the API sends them to editors. */
const withHandovers =
  (handovers: RecordStats['handovers']): Around =>
  (answer) =>
  (call) => {
    const result = answer(call);
    return call.url === '/api/stats' ? { ...(result as RecordStats), handovers } : result;
  };

test.each([
  ['with records', RECORDS],
  ['without records', []],
])('shows editors the open requests for a person and the response time, %s', async (_, records) => {
  open(records, '/report', 'zh', withHandovers({ open: 7, medianMinutes: 12 }));
  const figure = async (name: string) => (await screen.findByText(name)).parentElement;
  expect(await figure('未结束的人工咨询')).toHaveTextContent('7去处理');
  expect(screen.getByRole('link', { name: '去处理' })).toHaveAttribute('href', '/inbox');
  expect(await figure('人工首次回复')).toHaveTextContent('12分钟近 30 天的中位数');
});

test('has no figures about requests for others, and no time without enough replies', async () => {
  open([], '/report', 'zh', withHandovers({ open: 0, medianMinutes: null }));
  expect((await screen.findByText('人工首次回复')).parentElement).toHaveTextContent(
    '–近 30 天回复过的不到 3 个',
  );
  open([]);
  await waitFor(() => expect(screen.getAllByRole('heading', { name: '还没有可统计的记录' })).toHaveLength(2));
  expect(screen.getAllByText('人工首次回复')).toHaveLength(1);
});

test('administrators see what all visitors ask, without links to records that are not theirs', async () => {
  const overview: DeskOverview = {
    from: '2026-07-01',
    to: '2026-07-30',
    total: 17,
    byDay: [
      { day: '2026-07-03', count: 15 },
      { day: '2026-07-04', count: 2 },
    ],
    byOutcome: { answered: 14, related: 1, nothing: 1, person: 1 },
    satisfaction: { up: 3, down: 1 },
    mostCited: [{ id: 'd-1', title: '退款政策', cited: 12 }],
    topUnanswered: [{ question: '海豹馆几点喂食？', count: 3 }],
  };
  const around: Around = (answer) => (call) => {
    if (call.url === '/api/settings/access') return { isAdministrator: true };
    return call.url === '/api/overview' ? overview : answer(call);
  };
  const { user, address, calls } = open(RECORDS, '/report', 'zh', around, 'token');

  await user.click(await screen.findByRole('radio', { name: '整个咨询台' }));

  expect(address()).toBe('/report?v=desk');
  const desk = within(await screen.findByRole('region', { name: '整个咨询台' }));
  // The axis of the chart has numbers, too.
  expect(await desk.findByText('17', { selector: 'dd' })).toBeVisible();
  expect(desk.getByText('75')).toBeVisible();
  expect(desk.getByText('88.2')).toBeVisible();
  expect(desk.getByRole('link', { name: '退款政策' })).toHaveAttribute('href', '/knowledge?d=d-1');
  expect(desk.getByRole('region', { name: '未答最多的问题' })).toHaveTextContent('海豹馆几点喂食？3');
  expect(desk.getAllByRole('link').map((link) => link.textContent)).toEqual(['退款政策', '去处理']);
  await user.click(desk.getByRole('radio', { name: '近 7 天' }));
  await waitFor(() =>
    expect(calls.filter(({ url }) => url === '/api/overview').at(-1)?.params).toMatchObject({ days: 7 }),
  );
});

test('others do not see the overview, whatever the address', async () => {
  const around: Around = (answer) => (call) =>
    call.url === '/api/settings/access' ? { isAdministrator: false } : answer(call);
  const { calls } = open(RECORDS, '/report?v=desk', 'zh', around, 'token');
  expect(await screen.findByRole('region', { name: '统计' })).toBeVisible();
  expect(screen.queryByRole('radio', { name: '整个咨询台' })).toBeNull();
  expect(calls.some(({ url }) => url === '/api/overview')).toBe(false);
});
