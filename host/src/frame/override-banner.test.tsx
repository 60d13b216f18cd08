import { beforeEach, expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createShell } from '../create-shell.ts';
import type { Composition } from '../remotes/composition.ts';
import { OverrideBanner } from './override-banner.tsx';
import { ShellContext } from './shell.ts';

beforeEach(() => {
  localStorage.clear();
  window.matchMedia = () => new EventTarget() as MediaQueryList;
});

const remotes = {
  'mfe-chat': { version: 'dev', entry: '/dev', previous: { version: '1.4.0', entry: '/live' } },
};

function open(override: NonNullable<Composition['override']>, files: Record<string, unknown> = {}) {
  const shell = createShell({
    page: window,
    composition: { id: '1a2b3c4d5e6f', host: { version: '1.0.0' }, remotes, override },
    federation: {
      load:
        async ({ entry }) =>
        () =>
          files[entry],
      onLateFailure: () => undefined,
    },
    report: () => undefined,
  });
  render(
    <ShellContext value={shell}>
      <OverrideBanner />
    </ShellContext>,
  );
  return shell;
}
const expiresAt = new Date(2031, 10, 21, 15, 30).toISOString();

test('shows which remote is replaced from where and until when, and a button to leave', () => {
  const shell = open({
    kind: 'remote',
    remote: 'mfe-chat',
    address: 'http://127.0.0.1:3002/remoteEntry.js',
    expiresAt,
  });
  expect(screen.getByRole('status')).toHaveTextContent(
    'mfe-chat 来自 127.0.0.1:3002，仅此浏览器，至 11 月 21 日 15:30',
  );
  const form = screen.getByRole('button', { name: '退出预览' }).closest('form');
  expect(form).toHaveAttribute('method', 'post');
  expect(form).toHaveAttribute('action', '/chatbot/override/leave');
  act(() => shell.i18n.language$.next('en'));
  expect(screen.getByRole('button', { name: 'Exit preview' })).toBeVisible();
});

test('shows the name of a composition that is not live', () => {
  open({ kind: 'composition', expiresAt });
  expect(screen.getByRole('status')).toHaveTextContent('没有上线的组合 1a2b3c4d');
});

test('shows the name of a preview that has one', () => {
  open({ kind: 'composition', name: 'feature/login', expiresAt });
  expect(screen.getByRole('status')).toHaveTextContent('正在预览 feature/login（没有上线）');
});

test('omits the day if the override ends today', () => {
  const end = new Date();
  end.setHours(23, 59);
  open({ kind: 'composition', expiresAt: end.toISOString() });
  expect(screen.getByRole('status')).toHaveTextContent('至 23:59');
});

test.each<[string, NonNullable<Composition['override']>, string]>([
  [
    'remote',
    { kind: 'remote', remote: 'mfe-chat', address: 'http://127.0.0.1:3002/remoteEntry.js', expiresAt },
    'mfe-chat 没能从 127.0.0.1:3002 打开，显示的是 1.4.0。仅此浏览器，至 11 月 21 日 15:30',
  ],
  [
    'composition',
    { kind: 'composition', expiresAt },
    '正在预览没有上线的组合 1a2b3c4d，仅此浏览器，至 11 月 21 日 15:30。mfe-chat 没能打开，显示的是 1.4.0',
  ],
])('for a %s: reports that the requested release could not be shown', async (_, override, text) => {
  const shell = open(override, { '/live': { default: () => null } });
  expect(screen.getByRole('status')).not.toHaveTextContent('没能');
  await act(async () => void (await shell.loader.load('mfe-chat/./chat')));
  expect(screen.getByRole('status')).toHaveTextContent(text);
  act(() => shell.loader.reset('mfe-chat/./chat'));
  expect(screen.getByRole('status')).not.toHaveTextContent('没能');
});
