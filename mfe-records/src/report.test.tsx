import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, createStandInServices, failure } from 'host/stand-ins';
import { MemoryRouter } from 'react-router';
import ReportScreen from './report.tsx';
import { serveRecords } from './testing/record-server.ts';
import { sampleRecord, sampleRecords } from './testing/sample-records.ts';

function open(answers: Answers, language: 'zh' | 'en' = 'zh') {
  const standIns = createStandInServices({ answers, language });
  render(
    <MemoryRouter initialEntries={['/report']}>
      <ReportScreen services={standIns.services} language={language} controls={null} />
    </MemoryRouter>,
  );
  return { ...standIns, user: userEvent.setup() };
}

const at = (day: number, hour = 9) => new Date(2026, 10, day, hour).toISOString();
const RECORDS = [
  sampleRecord({ id: '5', createdAt: at(5), answeredAt: at(5), source: 'none' }),
  sampleRecord({ id: '4', createdAt: at(3, 10), answeredAt: at(3, 10), source: 'curated' }),
  sampleRecord({ id: '3', createdAt: at(3), answeredAt: at(3), contact: { id: '138', name: '张三' } }),
  sampleRecord({ id: '2', createdAt: at(3, 8), answeredAt: null, status: 'failed', source: 'document' }),
  sampleRecord({ id: '1', createdAt: at(2), answeredAt: null, status: 'answering' }),
];

function figure(name: string) {
  return screen.getByText(name, { selector: 'dt' }).parentElement;
}

test('counts what has been asked, answered and not answered', async () => {
  open({ 'GET /api/records': serveRecords(RECORDS) });

  expect(await screen.findByText('全部 4 条记录')).toBeVisible();
  expect(figure('咨询')).toHaveTextContent('咨询4日均 1.3 条');
  expect(figure('已答')).toHaveTextContent('已答50%2 条');
  expect(figure('未答')).toHaveTextContent('未答2其中 1 条中断');
  expect(screen.getByText('另有 1 条正在回答，没有计入')).toBeVisible();
  expect(screen.getByText('11 月 3 日至 11 月 5 日', { selector: 'p' })).toBeVisible();
});

test('the chart speaks in a sentence, and there is a table with the empty days too', async () => {
  const { user } = open({ 'GET /api/records': serveRecords(RECORDS) });

  const [chart] = await screen.findAllByRole('img', { name: /每日咨询数/ });
  expect(chart).toHaveAccessibleName(
    '11 月 3 日至 11 月 5 日每日咨询数，最高为 11 月 3 日的 3 条，最低为 11 月 4 日的 0 条',
  );
  await user.click(screen.getByRole('button', { name: '看表格' }));

  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .slice(1)
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['1', '1'],
    ['0', '0'],
    ['3', '1'],
  ]);
  await user.click(screen.getByRole('button', { name: '看图表' }));
  expect(screen.queryByRole('table')).toBeNull();
});

test('sources and contacts stand in words as well', async () => {
  open({ 'GET /api/records': serveRecords(RECORDS) });

  expect(await screen.findByRole('img', { name: '资料 1 条，人工 1 条，未答 2 条' })).toBeVisible();
  const contacts = screen.getByRole('region', { name: '按联系人' });
  expect(
    within(contacts)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['本人3', '张三1']);
});

test('counts a thousand at first, says so, and goes on when asked', async () => {
  const { calls, user } = open({
    'GET /api/records': serveRecords(sampleRecords(1250, new Date(2026, 10, 20, 12))),
  });

  expect(await screen.findByText('最近 1,000 条记录')).toBeVisible();
  expect(calls).toHaveLength(10);
  await user.click(screen.getByRole('button', { name: '再统计 1,000 条更早的' }));

  expect(await screen.findByText('全部 1,250 条记录')).toBeVisible();
  expect(screen.getByText('没有更早的记录了')).toBeVisible();
});

test('keeps what is counted when reading on fails, and can try again', async () => {
  const serve = serveRecords(sampleRecords(150, new Date(2026, 10, 20, 12)));
  let isDown = true;
  const { user } = open({
    'GET /api/records': (call) => {
      if (call.params.cursor && isDown) throw failure(500, 'internal', '出错了');
      return serve(call);
    },
  });

  expect(await screen.findByText('没能读完：出错了')).toBeVisible();
  expect(screen.getByText('最近 100 条记录')).toBeVisible();
  isDown = false;
  await user.click(screen.getByRole('button', { name: '重试' }));

  expect(await screen.findByText('全部 150 条记录')).toBeVisible();
});

test('nothing asked yet, and nothing to be had', async () => {
  open({ 'GET /api/records': serveRecords([]) });
  expect(await screen.findByRole('heading', { name: '还没有可统计的记录' })).toBeVisible();
});

test('a report that cannot be read says so', async () => {
  open({
    'GET /api/records': () => {
      throw failure(500, 'internal', '出错了');
    },
  });
  expect(await screen.findByRole('heading', { name: '报告暂时打不开' })).toBeVisible();
  expect(screen.getByRole('button', { name: '重试' })).toBeVisible();
});

test('speaks English', async () => {
  open({ 'GET /api/records': serveRecords(RECORDS) }, 'en');

  expect(await screen.findByText('All 4 records')).toBeVisible();
  expect(screen.getByRole('img', { name: 'Document 1, Curated 1, Unanswered 2' })).toBeVisible();
});
