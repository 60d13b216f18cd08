import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen, within } from '@testing-library/react';
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

function renderList() {
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
  return shell;
}

test('a toast is shown for its whole time although its component was loaded late', async () => {
  const { toasts } = renderList();
  act(() => void toasts.show({ kind: 'info', text: 'saved' }));
  act(() => jest.advanceTimersByTime(60_000));
  expect(screen.queryByText('saved')).toBeNull();
  await act(() => import('./toast-line.tsx'));
  expect(screen.getByText('saved')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(2999));
  expect(screen.getByText('saved')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.queryByText('saved')).toBeNull();
});

test('a toast that is shown while a dialog closes appears, although the list was in the dialog', async () => {
  // Behaves as in browsers; jsdom lacks this function.
  const showPopover = function (this: HTMLElement) {
    if (!this.isConnected) throw new DOMException('disconnected', 'InvalidStateError');
  };
  const matches = function (this: HTMLElement, selector: string) {
    return selector !== ':popover-open' && Element.prototype.matches.call(this, selector);
  };
  Object.assign(HTMLElement.prototype, { showPopover, matches });
  try {
    const { toasts } = renderList();
    await act(() => import('./toast-line.tsx'));
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    act(() => void toasts.show({ kind: 'info', text: 'before' }));
    dialog.showModal();
    act(() => jest.advanceTimersByTime(3000));
    expect(dialog).toContainElement(document.querySelector('.toasts') as HTMLElement);
    act(() => {
      toasts.show({ kind: 'info', text: 'after' });
      dialog.remove();
    });
    // Browsers send the event later.
    act(() => dialog.close());
    expect(screen.getByText('after')).toBeInTheDocument();
  } finally {
    for (const name of ['showPopover', 'matches']) Reflect.deleteProperty(HTMLElement.prototype, name);
  }
});

test('a toast with the focus stays until it has lost it', async () => {
  const { toasts } = renderList();
  await act(() => import('./toast-line.tsx'));
  act(() => void toasts.show({ kind: 'info', text: 'saved' }));
  const button = within(screen.getByRole('status')).getByRole('button');
  act(() => button.focus());
  act(() => jest.advanceTimersByTime(60_000));
  expect(screen.getByText('saved')).toBeInTheDocument();
  act(() => button.blur());
  act(() => jest.advanceTimersByTime(3000));
  expect(screen.queryByText('saved')).toBeNull();
});

test('toasts leave a dialog that is closed', async () => {
  const { toasts } = renderList();
  await act(() => import('./toast-line.tsx'));
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.showModal();
  act(() => void toasts.show({ kind: 'info', text: 'saved' }));
  expect(dialog).toContainElement(screen.getByText('saved'));
  act(() => dialog.close());
  dialog.remove();
  expect(screen.getByText('saved')).toBeInTheDocument();
});

test('the focus returns to where it was before it moved to a toast that is dismissed', async () => {
  const { toasts } = renderList();
  await act(() => import('./toast-line.tsx'));
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  act(() => void toasts.show({ kind: 'info', text: 'saved' }));
  const button = within(screen.getByRole('status')).getByRole('button');
  act(() => button.focus());
  act(() => button.click());
  expect(screen.queryByText('saved')).toBeNull();
  expect(field).toHaveFocus();
  field.remove();
});
