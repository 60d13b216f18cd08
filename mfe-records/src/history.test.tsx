import { expect, test } from '@jest/globals';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, createStandInServices, failure } from 'host/stand-ins';
import { MemoryRouter } from 'react-router';
import HistoryScreen from './history.tsx';
import { serveRecords } from './testing/record-server.ts';
import { sampleRecord, sampleRecords } from './testing/sample-records.ts';

const NOON = new Date(2026, 10, 20, 12);

function open(answers: Answers, path = '/history', language: 'zh' | 'en' = 'zh') {
  const standIns = createStandInServices({ answers, language });
  render(
    <MemoryRouter initialEntries={[path]}>
      <HistoryScreen services={standIns.services} language={language} controls={null} />
    </MemoryRouter>,
  );
  return { ...standIns, user: userEvent.setup() };
}

const list = () => screen.getByRole('region', { name: '记录列表' });
const detail = () => screen.getByRole('article', { name: '记录详情' });

test('groups the records by day and shows the newest one in full', async () => {
  const records = [
    sampleRecord({ id: 'b', question: '今天的问题', createdAt: NOON.toISOString() }),
    sampleRecord({ id: 'a', question: '昨天的问题', createdAt: new Date(2026, 10, 19, 9, 5).toISOString() }),
  ];
  open({ 'GET /api/records': serveRecords(records) });

  const today = await screen.findByRole('region', { name: /11 月 20 日 周五/ });
  expect(within(today).getByRole('link', { name: '今天的问题' })).toBeVisible();
  const yesterday = screen.getByRole('region', { name: /11 月 19 日 周四/ });
  expect(within(yesterday).getByText('09:05')).toBeVisible();
  expect(within(detail()).getByRole('heading', { name: '今天的问题' })).toBeVisible();
  expect(screen.getByText('2 条')).toBeVisible();
});

test('a chosen record is named by the address and shown with answer, source and sources', async () => {
  const { user } = open({
    'GET /api/records': serveRecords([
      sampleRecord({ id: 'new', question: '新的' }),
      sampleRecord({ id: 'old', question: '旧的', conversationId: 'c/7' }),
    ]),
  });

  await user.click(await screen.findByRole('link', { name: '旧的' }));

  expect(within(detail()).getByRole('heading', { name: '旧的' })).toBeVisible();
  expect(within(detail()).getByText('3 至 5 个工作日').tagName).toBe('STRONG');
  expect(within(detail()).getByText('依据资料回答')).toBeVisible();
  expect(within(detail()).getByText('用时 1.8 秒')).toBeVisible();
  expect(within(detail()).getByRole('link', { name: '打开会话' })).toHaveAttribute('href', '/index?c=c%2F7');
  await user.click(within(detail()).getByRole('button', { name: '引用 1' }));
  expect(document.activeElement).toHaveTextContent('退款政策');
});

test('opens the passage with the quote marked where it stands', async () => {
  const { user } = open({
    'GET /api/records': serveRecords([sampleRecord()]),
    'GET /api/passages/p-1': () => ({
      title: '退款政策',
      text: '退款，自受理之日起 3 至 5 个工作日内汇出。',
      start: 107,
      end: 130,
      place: '4.2 节',
    }),
  });

  await user.click(await screen.findByRole('button', { name: '打开引用 1 的原文' }));

  const dialog = screen.getByRole('dialog', { name: '退款政策' });
  expect(await within(dialog).findByText('4.2 节')).toBeVisible();
  expect(within(dialog).getByText('自受理之日起 3 至 5 个工作日').tagName).toBe('MARK');
  await user.click(within(dialog).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('raw HTML in an answer stays text, and an unsafe link is none', async () => {
  open({
    'GET /api/records': serveRecords([
      sampleRecord({
        answer: '<img src=x onerror=alert(1)> [看](javascript:alert(1)) [外](https://example.com) [9]',
      }),
    ]),
  });

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

test('reads on, page by page, and says when that is all', async () => {
  const { calls, user } = open({ 'GET /api/records': serveRecords(sampleRecords(60, NOON)) });

  expect(await screen.findByText('最近 50 条')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '载入更早的记录' }));

  expect(await screen.findByText('60 条')).toBeVisible();
  expect(within(list()).getAllByRole('link')).toHaveLength(60);
  expect(calls.map(({ params }) => params)).toEqual([{ limit: 50 }, { limit: 50, cursor: '50' }]);
  expect(screen.queryByRole('button', { name: '载入更早的记录' })).toBeNull();
});

test('a page that fails leaves what is there, and can be asked for again', async () => {
  const serve = serveRecords(sampleRecords(60, NOON));
  let isDown = false;
  const { user } = open({
    'GET /api/records': (call) => {
      if (isDown) throw failure(503, 'unavailable', '服务暂时不可用');
      return serve(call);
    },
  });
  await screen.findByText('最近 50 条');

  isDown = true;
  await user.click(screen.getByRole('button', { name: '载入更早的记录' }));
  expect(await screen.findByText('服务暂时不可用')).toBeVisible();
  expect(within(list()).getAllByRole('link')).toHaveLength(50);

  isDown = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  expect(await screen.findByText('60 条')).toBeVisible();
});

test('nothing asked yet: says what will be here and where to begin', async () => {
  open({ 'GET /api/records': serveRecords([]) });

  expect(await screen.findByRole('heading', { name: '还没有记录' })).toBeVisible();
  expect(screen.getByRole('link', { name: '去咨询' })).toHaveAttribute('href', '/index');
});

test('offline: says so and reads again once the network is back', async () => {
  let isOffline = true;
  open({
    'GET /api/records': (call) => {
      if (isOffline) throw failure(0, 'offline', '网络已断开');
      return serveRecords([sampleRecord()])(call);
    },
  });
  expect(await screen.findByRole('heading', { name: '网络已断开' })).toBeVisible();

  isOffline = false;
  act(() => void window.dispatchEvent(new Event('online')));

  expect(await screen.findByText('1 条')).toBeVisible();
});

test('reads the records of the new owner when somebody signs in', async () => {
  let records = [sampleRecord({ question: '访客问的' })];
  const { services } = open({ 'GET /api/records': (call) => serveRecords(records)(call) });
  await screen.findByRole('link', { name: '访客问的' });

  records = [sampleRecord({ id: 'r-9', question: '账号里的' })];
  act(() => services.session.signIn('token', 'lin'));

  expect(await screen.findByRole('link', { name: '账号里的' })).toBeVisible();
  expect(screen.queryByRole('link', { name: '访客问的' })).toBeNull();
});

test('tells an answer that broke off from one that found nothing', async () => {
  open({
    'GET /api/records': serveRecords([
      sampleRecord({
        id: 'f',
        question: '断的',
        status: 'failed',
        source: 'none',
        citations: [],
        answer: '说到一半',
      }),
      sampleRecord({ id: 'n', question: '没有依据的', source: 'none', citations: [] }),
    ]),
  });

  const [failed, none] = await screen.findAllByRole('listitem');
  expect(failed).toHaveTextContent('回答中断');
  expect(none).toHaveTextContent('未答');
  expect(within(detail()).getByText('回答中断，已说的内容已保留')).toBeVisible();
});

test('arrows go from record to record', async () => {
  const { user } = open({ 'GET /api/records': serveRecords(sampleRecords(3, NOON)) });
  const links = await waitFor(() => {
    const found = within(list()).getAllByRole('link');
    expect(found).toHaveLength(3);
    return found;
  });

  links[0]?.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(links[2]).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(links[1]).toHaveFocus();
});

test('speaks English', async () => {
  open(
    { 'GET /api/records': serveRecords([sampleRecord({ createdAt: NOON.toISOString() })]) },
    '/history',
    'en',
  );

  expect(await screen.findByRole('region', { name: 'Nov 20 Fri' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Records' })).toBeVisible();
  expect(screen.getByText('Answered from documents')).toBeVisible();
});
