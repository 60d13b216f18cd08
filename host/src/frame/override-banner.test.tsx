import { beforeEach, expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { createDesk } from '../create-desk.ts';
import type { Composition } from '../remotes/composition.ts';
import { DeskContext } from './desk.ts';
import OverrideBanner from './override-banner.tsx';

beforeEach(() => {
  localStorage.clear();
  window.matchMedia = () => new EventTarget() as MediaQueryList;
});

function open(override: NonNullable<Composition['override']>) {
  const desk = createDesk({
    page: window,
    composition: { id: '1a2b3c4d5e6f', host: { version: '1.0.0' }, remotes: {}, override },
    federation: { load: async () => () => undefined, onLateFailure: () => undefined },
    report: () => undefined,
  });
  render(
    <DeskContext value={desk}>
      <OverrideBanner />
    </DeskContext>,
  );
  return desk;
}
const expiresAt = new Date(2031, 10, 21, 15, 30).toISOString();

test('says which remote comes from where and until when, and leads back', () => {
  const desk = open({
    kind: 'remote',
    remote: 'mfe-chat',
    address: 'http://127.0.0.1:3002/remoteEntry.js',
    expiresAt,
  });
  expect(screen.getByRole('status')).toHaveTextContent(
    'mfe-chat 来自 127.0.0.1:3002，仅此浏览器，至 11 月 21 日 15:30',
  );
  expect(screen.getByRole('link', { name: '退出预览' })).toHaveAttribute('href', '/chatbot/override/leave');
  act(() => desk.i18n.language$.next('en'));
  expect(screen.getByRole('link', { name: 'Leave preview' })).toBeVisible();
});

test('names a composition that is not live', () => {
  open({ kind: 'composition', expiresAt });
  expect(screen.getByRole('status')).toHaveTextContent('没有上线的组合 1a2b3c4d');
});

test('leaves the day away where it ends today', () => {
  const end = new Date();
  end.setHours(23, 59);
  open({ kind: 'composition', expiresAt: end.toISOString() });
  expect(screen.getByRole('status')).toHaveTextContent('至 23:59');
});
