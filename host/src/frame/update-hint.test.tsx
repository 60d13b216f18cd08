import { beforeEach, expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createShell } from '../create-shell.ts';
import { ShellContext } from './shell.ts';
import { UpdateHint } from './update-hint.tsx';

let live: string;

beforeEach(() => {
  localStorage.clear();
  window.matchMedia = () => new EventTarget() as MediaQueryList;
  live = 'one';
  globalThis.fetch = async (address) => {
    expect(address).toBe('/ops/live');
    return { ok: true, json: async () => ({ composition: live }) } as Response;
  };
});

function open() {
  const shell = createShell({
    page: window,
    composition: { id: 'one', host: { version: '1.0.0' }, remotes: {} },
    federation: { load: async () => () => undefined, onLateFailure: () => undefined },
    report: () => undefined,
  });
  render(
    <ShellContext value={shell}>
      <main id="main" tabIndex={-1}>
        <textarea aria-label="question" />
      </main>
      <UpdateHint />
    </ShellContext>,
  );
  return { shell, user: userEvent.setup() };
}
const lookAgain = () => act(async () => void window.dispatchEvent(new Event('focus')));
const hint = () => screen.queryByRole('complementary', { name: '新版本' });

test('shows a new version when the page becomes visible again', async () => {
  open();
  expect(hint()).toBeNull();
  live = 'two';
  await lookAgain();
  expect(hint()).toHaveTextContent('有新版本');
  expect(screen.getByRole('button', { name: '刷新' })).toBeVisible();
});

test('shows nothing while the live composition is its own', async () => {
  open();
  await lookAgain();
  expect(hint()).toBeNull();
});

test('waits until no hold is active', async () => {
  const { shell, user } = open();
  let letGo: () => void = () => undefined;
  act(() => {
    letGo = shell.updates.hold();
  });
  live = 'two';
  await lookAgain();
  expect(hint()).toBeNull();
  act(() => letGo());
  expect(hint()).not.toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'question' }), 'w');
  expect(hint()).toBeNull();
  await user.clear(screen.getByRole('textbox', { name: 'question' }));
  expect(hint()).not.toBeNull();
});

test('stays dismissed, and the focus is not lost', async () => {
  const { user } = open();
  live = 'two';
  await lookAgain();
  await user.click(screen.getByRole('button', { name: '以后再说' }));
  expect(hint()).toBeNull();
  expect(screen.getByRole('main')).toHaveFocus();
});

test('is translated to English', async () => {
  const { shell } = open();
  live = 'two';
  await lookAgain();
  act(() => shell.i18n.language$.next('en'));
  expect(screen.getByRole('complementary', { name: 'New version' })).toHaveTextContent(
    'A new version is available',
  );
});
