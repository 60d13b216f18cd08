import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createShell } from '../create-shell.ts';
import { ShellContext } from './shell.ts';
import { ToastList } from './toast-list.tsx';

beforeEach(() => {
  window.matchMedia = () => new EventTarget() as MediaQueryList;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a toast is shown for its whole time although its component was loaded late', async () => {
  const shell = createShell({
    page: window,
    composition: { id: 'one', host: { version: '1.0.0' }, remotes: {} },
    federation: { load: async () => () => undefined, onLateFailure: () => undefined },
    report: () => undefined,
  });
  render(
    <ShellContext value={shell}>
      <ToastList />
    </ShellContext>,
  );
  act(() => void shell.toasts.show({ kind: 'info', text: 'saved' }));
  act(() => jest.advanceTimersByTime(60_000));
  expect(screen.queryByText('saved')).toBeNull();
  await act(() => import('./toast-line.tsx'));
  expect(screen.getByText('saved')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(2999));
  expect(screen.getByText('saved')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.queryByText('saved')).toBeNull();
});
