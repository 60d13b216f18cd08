import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { RecordArchive } from 'api/contract/archives';
import type { DeskRecord } from 'api/contract/records';
import { failure } from 'host/stand-ins';
import { layOut } from '../testing/lay-out.ts';
import { openHistory } from '../testing/open-history.tsx';
import { sampleRecords } from '../testing/sample-records.ts';
import { readRecords } from './import-records.tsx';

const NOON = new Date(2026, 10, 20, 12);

function archive(records: DeskRecord[], conversations: RecordArchive['conversations'] = []) {
  return JSON.stringify({
    format: 'consultation-desk-records',
    version: 1,
    exportedAt: NOON.toISOString(),
    conversations,
    records,
  });
}

/** jsdom cannot read files as text. */
function file(text: string, name = 'desk.json') {
  return Object.assign(new File([text], name, { type: 'application/json' }), { text: async () => text });
}

async function openImport(user: ReturnType<typeof openHistory>['user']) {
  await user.click(screen.getByRole('button', { name: '更多' }));
  await user.click(screen.getByRole('menuitem', { name: '导入…' }));
  return screen.findByRole('dialog', { name: '导入记录' });
}

beforeEach(() => layOut());

test('imports records in slices and reports the results', async () => {
  const all = sampleRecords(1200, NOON);
  const { user, server, callsTo } = openHistory(all.slice(0, 10));
  await screen.findByText('10 条');
  const dialog = await openImport(user);

  await user.upload(within(dialog).getByLabelText('选择文件'), file(archive(all)));
  await user.click(await within(dialog).findByRole('button', { name: '导入 1200 条' }));

  expect(await within(dialog).findByText('导入完成')).toBeVisible();
  expect(within(dialog).getByText('新增').nextSibling).toHaveTextContent('1190');
  expect(within(dialog).getByText('已有').nextSibling).toHaveTextContent('10');
  expect(callsTo('/api/import').map(({ body }) => (body as { records: [] }).records.length)).toEqual([
    500, 500, 200,
  ]);
  expect(server.records).toHaveLength(1200);
  expect(await screen.findByText('1,200 条')).toBeVisible();
});

test('reports a failed slice, and continues from there without loss', async () => {
  let isDown = true;
  const { user, server, callsTo } = openHistory([], {
    first: ({ url }) => {
      if (isDown && url === '/api/import' && callsTo('/api/import').length === 2)
        throw failure(503, 'unavailable', '服务暂时不可用。');
    },
  });
  await screen.findByRole('heading', { name: '还没有记录' });
  const dialog = await openImport(user);
  await user.upload(within(dialog).getByLabelText('选择文件'), file(archive(sampleRecords(1200, NOON))));
  await user.click(await within(dialog).findByRole('button', { name: '导入 1200 条' }));

  expect(
    await within(dialog).findByText(/第 501–1000 条没能导入：服务暂时不可用。此前的 500 条已导入/),
  ).toBeVisible();
  isDown = false;
  await user.click(within(dialog).getByRole('button', { name: '继续' }));

  expect(await within(dialog).findByText('导入完成')).toBeVisible();
  expect(within(dialog).getByText('新增').nextSibling).toHaveTextContent('1200');
  expect(within(dialog).getByText('已有').nextSibling).toHaveTextContent('0');
  expect(server.records).toHaveLength(1200);
  // The failed slice is sent again, the one before is not.
  expect(callsTo('/api/import').map(({ body }) => (body as { records: [] }).records.length)).toEqual([
    500, 500, 500, 200,
  ]);
});

test('can be stopped and reports what was imported', async () => {
  const { user, callsTo } = openHistory([], {
    first: ({ url }) =>
      url === '/api/import' && callsTo('/api/import').length === 2 ? new Promise(() => undefined) : undefined,
  });
  await screen.findByRole('heading', { name: '还没有记录' });
  const dialog = await openImport(user);
  await user.upload(within(dialog).getByLabelText('选择文件'), file(archive(sampleRecords(1200, NOON))));
  await user.click(await within(dialog).findByRole('button', { name: '导入 1200 条' }));
  await waitFor(() =>
    expect(within(dialog).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '500'),
  );

  await user.click(within(dialog).getByRole('button', { name: '停止' }));

  expect(await within(dialog).findByText(/已停止，此前的 500 条已导入/)).toBeVisible();
});

test('rejects any other file before sending anything', async () => {
  const { user, callsTo } = openHistory([]);
  await screen.findByRole('heading', { name: '还没有记录' });
  const dialog = await openImport(user);

  await user.upload(within(dialog).getByLabelText('选择文件'), file('{"records": []}'));

  expect(await within(dialog).findByText('这不是从咨询台导出的 JSON 文件')).toBeVisible();
  expect(callsTo('/api/import')).toEqual([]);
});

test('slices have at most 500 records and 2 MB, and the conversations of their own records', () => {
  const [one] = sampleRecords(1, NOON);
  const long = { ...one, answer: '长'.repeat(900_000) } as DeskRecord;
  const conversations = ['c-0', 'c-9'].map((id) => ({
    id,
    title: id,
    contact: null,
    recordCount: 1,
    createdAt: '',
    updatedAt: '',
  }));
  const file = readRecords(`\ufeff${archive([long, long, long], conversations)}`);
  const slices = file!.slices.map(({ body }) => body as RecordArchive);

  expect(slices.map(({ records }) => records.length)).toEqual([2, 1]);
  expect(slices[0]?.conversations.map(({ id }) => id)).toEqual(['c-0']);
});
