import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { createStandInServices, failure } from 'host/stand-ins';
import { ScreenServices } from 'host/ui/screen.tsx';
import { useTransfer } from './transfer.tsx';

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  Object.assign(URL, { createObjectURL: () => 'blob:made', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
});

/** A server whose responses the test controls, in the order of the calls. */
function open(headers: Record<string, string> = {}) {
  const responses: ReturnType<typeof Promise.withResolvers<Blob>>[] = [];
  const standIns = createStandInServices({
    language: 'zh',
    answers: () => {
      const response = Promise.withResolvers<Blob>();
      responses.push(response);
      return response.promise;
    },
  });
  const { http } = standIns.services;
  const request: typeof http.request = async (config) => ({ ...(await http.request(config)), headers });
  const services = { ...standIns.services, http: { ...http, request } };
  const { result, unmount } = renderHook(useTransfer, {
    wrapper: ({ children }) => <ScreenServices services={services}>{children}</ScreenServices>,
  });
  const save = (name: string) =>
    act(async () => {
      result.current.save({ label: `正在下载 ${name}`, name, url: `/${name}` });
    });
  const respond = (index: number) => act(async () => responses[index]?.resolve(new Blob(['x'])));
  const told = () => standIns.toasts.map(({ text }) => text);
  return { ...standIns, responses, now: () => result.current, unmount, save, respond, told };
}

test('downloads one file at a time, and the next after the first has arrived', async () => {
  const { calls, now, save, respond, told } = open();

  await save('a');
  await save('b');
  expect(told()).toEqual(['上一个文件还在下载，请稍候']);
  expect(calls.map(({ url }) => url)).toEqual(['/a']);
  expect(calls[0]?.signal?.aborted).toBe(false);
  await respond(0);
  expect(now().running).toBeNull();

  await save('b');
  await respond(1);
  expect(saved).toEqual(['a', 'b']);
  expect(told()).toHaveLength(1);
});

test('the file has the name that the server gives', async () => {
  const { save, respond } = open({
    'content-disposition': "attachment; filename*=UTF-8''%E8%AE%B0%E5%BD%95.csv",
  });
  await save('a');
  await respond(0);
  expect(saved).toEqual(['记录.csv']);
});

test('reports a failed download, and can start another', async () => {
  const { responses, now, save, respond, told } = open();

  await save('a');
  await act(async () => responses[0]?.reject(failure(503, 'unavailable', '服务暂时不可用')));
  expect(told()).toEqual(['服务暂时不可用']);
  expect(now().running).toBeNull();

  await save('a');
  await respond(1);
  expect(saved).toEqual(['a']);
});

test('a cancelled download is aborted, neither saved nor reported, and another one can start', async () => {
  const { calls, now, save, respond, told } = open();

  await save('a');
  await act(async () => now().cancel());
  expect(calls[0]?.signal?.aborted).toBe(true);
  expect(now().running).toBeNull();
  await save('b');
  act(() => calls[0]?.received?.('rest of the first'));
  expect(now().running).toEqual({ label: '正在下载 b', received: 0 });
  await respond(0);
  expect(now().running).toEqual({ label: '正在下载 b', received: 0 });
  await respond(1);

  expect(saved).toEqual(['b']);
  expect(told()).toEqual([]);
});

test('leaving the screen aborts the download, and what arrives afterwards is not saved', async () => {
  const { calls, unmount, save, respond, told } = open();

  await save('a');
  unmount();
  expect(calls[0]?.signal?.aborted).toBe(true);
  await respond(0);

  expect(saved).toEqual([]);
  expect(told()).toEqual([]);
});

test('cancelling during the preparation sends no request', async () => {
  const { calls, now, told } = open();
  const prepared = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];

  await act(async () => {
    now().saveAfter('正在准备', async (signal) => {
      signals.push(signal);
      await prepared.promise;
      signal.throwIfAborted();
      return { name: 'a', url: '/a' };
    });
  });
  expect(now().running).toEqual({ label: '正在准备', received: 0 });
  await act(async () => now().cancel());
  expect(signals[0]?.aborted).toBe(true);
  await act(async () => prepared.resolve());

  await waitFor(() => expect(now().running).toBeNull());
  expect(calls).toEqual([]);
  expect(told()).toEqual([]);
});

test('shows how much has arrived', async () => {
  const { calls, now, save, respond } = open();

  await save('a');
  act(() => calls[0]?.received?.('x'.repeat(1500)));

  expect(now().running).toEqual({ label: '正在下载 a', received: 1500 });
  await respond(0);
});
