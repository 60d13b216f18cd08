import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createToastStore } from './toast-store.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const texts = (store: ReturnType<typeof createToastStore>) => store.shown$.value.map(({ text }) => text);

test('shows a toast for 3000 ms', () => {
  const store = createToastStore();
  store.show({ kind: 'info', text: 'a' });
  jest.advanceTimersByTime(2999);
  expect(texts(store)).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(texts(store)).toEqual([]);
});

test('shows a toast with an action for 10 s', () => {
  const store = createToastStore();
  store.show({ kind: 'success', text: 'a', action: { label: 'undo', run: () => undefined } });
  jest.advanceTimersByTime(9999);
  expect(texts(store)).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(texts(store)).toEqual([]);
});

test('shows several toasts with separate timers', () => {
  const store = createToastStore();
  store.show({ kind: 'info', text: 'a' });
  jest.advanceTimersByTime(1000);
  store.show({ kind: 'error', text: 'b' });
  store.show({ kind: 'error', text: 'b' });
  expect(texts(store)).toEqual(['a', 'b', 'b']);
  jest.advanceTimersByTime(2000);
  expect(texts(store)).toEqual(['b', 'b']);
});

test('stays while it is held, and a moment longer', () => {
  const store = createToastStore();
  store.show({ kind: 'info', text: 'a' });
  const id = store.shown$.value[0]?.id ?? 0;
  jest.advanceTimersByTime(2900);
  store.hold(id);
  store.hold(id);
  jest.advanceTimersByTime(60_000);
  expect(texts(store)).toEqual(['a']);
  store.release(id);
  store.release(id);
  jest.advanceTimersByTime(999);
  expect(texts(store)).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(texts(store)).toEqual([]);
});

test('is dismissed once', () => {
  const store = createToastStore();
  const dismiss = store.show({ kind: 'info', text: 'a' });
  store.show({ kind: 'info', text: 'b' });
  dismiss();
  dismiss();
  expect(texts(store)).toEqual(['b']);
  jest.runAllTimers();
  expect(texts(store)).toEqual([]);
});
