import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Http } from 'host/contract';
import { type Answers, createStandInServices, failure } from 'host/stand-ins';
import { ScreenServices } from 'host/ui/screen.tsx';
import { createAccountData, DataSection, type TransferProgress } from './data-section.tsx';

/** The files saved by the browser: name and content. */
const saved: { name: string; data: Blob }[] = [];
const original = { create: URL.createObjectURL, revoke: URL.revokeObjectURL };

beforeEach(() => {
  saved.length = 0;
  let last: Blob | undefined;
  URL.createObjectURL = (data: Blob) => {
    last = data;
    return 'blob:file';
  };
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, data: last! });
  };
});
afterEach(() => {
  URL.createObjectURL = original.create;
  URL.revokeObjectURL = original.revoke;
  Reflect.deleteProperty(HTMLAnchorElement.prototype, 'click');
});

function open(answers: Answers) {
  const { services, calls, isHeld$ } = createStandInServices({ token: 'token', username: 'lin', answers });
  const { unmount } = render(
    <ScreenServices services={services}>
      <DataSection />
    </ScreenServices>,
  );
  return { calls, isHeld$, unmount, user: userEvent.setup() };
}

const archive = () => new File(['{"format":"consultation-desk-records"}'], '备份.json');
const chooser = () => screen.getByLabelText('导入 JSON');

test('saves all data as a file', async () => {
  const all = new Blob(['{}']);
  const { calls, user } = open({ 'GET /admin/export': () => all });

  await user.click(screen.getByRole('button', { name: '导出全部（JSON）' }));

  expect(await screen.findByText('已保存 consultation-desk.json')).toBeVisible();
  expect(saved).toEqual([{ name: 'consultation-desk.json', data: all }]);
  expect(calls).toHaveLength(1);
});

test('saves the records as a table with days of the visitor’s time zone', async () => {
  const { calls, user } = open({ 'POST /api/export': () => new Blob(['a']) });

  await user.click(screen.getByRole('button', { name: '导出 CSV' }));

  await waitFor(() => expect(saved).toHaveLength(1));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(calls[0]?.body).toEqual({ filter: { tz: timeZone }, format: 'csv' });
});

test('uploads a file unchanged and reports what was imported', async () => {
  const { calls, user } = open({ 'POST /api/import': () => ({ imported: 3, unchanged: 4, renamed: 1 }) });
  const file = archive();

  await user.upload(chooser(), file);

  expect(await screen.findByText('导入完成：4 条已导入，4 条没有变化；其中 1 条换了新编号')).toBeVisible();
  expect(calls[0]?.body).toBe(file);
  expect(calls[0]?.headers).toEqual({ 'Content-Type': 'application/json' });
});

test('a running transfer can be cancelled and blocks others', async () => {
  const { calls, isHeld$, user } = open({
    'POST /api/import': () => new Promise(() => undefined),
    'GET /admin/export': () => new Blob(['{}']),
  });

  await user.upload(chooser(), archive());
  expect(await screen.findByText('正在导入 备份.json')).toBeVisible();
  expect(isHeld$.value).toBe(true);
  await user.click(screen.getByRole('button', { name: '导出全部（JSON）' }));
  expect(calls).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: '取消' }));

  expect(await screen.findByText(/已停止/)).toBeVisible();
  expect(isHeld$.value).toBe(false);
  expect(calls[0]?.signal?.aborted).toBe(true);
  expect(screen.getByRole('heading', { name: '我的数据' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: '导出全部（JSON）' }));
  await waitFor(() => expect(saved).toHaveLength(1));
});

test('leaving the screen cancels a running transfer', async () => {
  const { calls, user, unmount } = open({ 'GET /admin/export': () => new Promise(() => undefined) });
  await user.click(screen.getByRole('button', { name: '导出全部（JSON）' }));
  expect(calls[0]?.signal?.aborted).toBe(false);
  unmount();
  expect(calls[0]?.signal?.aborted).toBe(true);
  expect(saved).toEqual([]);
});

test('shows the server’s message on failure', async () => {
  const { user } = open({
    'POST /api/import': () => {
      throw failure(400, 'invalid_request', '文件中的 records.2.question 不正确');
    },
  });

  await user.upload(chooser(), archive());

  expect(await screen.findByText('文件中的 records.2.question 不正确')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('records.2.question');
});

test('a file has the name of the server, and its progress is at most 1, or unknown', async () => {
  const request = async ({ onDownloadProgress }: Parameters<Http['request']>[0]) => {
    for (const [loaded, total] of [[1], [1, 2], [3, 2]] as const)
      onDownloadProgress?.({ loaded, total } as never);
    return { data: 'all', headers: { 'content-disposition': 'attachment; filename="of lin.json"' } };
  };
  const progress: TransferProgress[] = [];
  const { exportAll } = createAccountData({ request } as never);
  const { signal } = new AbortController();
  expect(await exportAll({ signal, onProgress: (one) => progress.push(one) })).toEqual({
    data: 'all',
    name: 'of lin.json',
  });
  expect(progress.map(({ fraction }) => fraction)).toEqual([null, 0.5, 1]);
});
