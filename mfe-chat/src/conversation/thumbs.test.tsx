import { expect, test } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { openChat, settle } from '../testing/open-chat.tsx';
import { record } from '../testing/samples.ts';

const thumb = (name: '有帮助' | '没有帮助') => screen.getByRole('button', { name });
const rated = (calls: { url: string; body: unknown }[]) =>
  calls.filter(({ url }) => url === '/api/feedback').map(({ body }) => body);
const answers = { 'POST /api/feedback': () => ({}) };

test('shows a rating immediately, and removes it on the second press', async () => {
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [record('r1')],
    answers,
  });
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'false');
  await user.click(thumb('有帮助'));
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'true');
  await settle();
  await user.click(thumb('有帮助'));
  await settle();
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'false');
  expect(rated(calls)).toEqual([
    { recordId: 'r1', rating: 1 },
    { recordId: 'r1', rating: 0 },
  ]);
});

test('offers a note after the rating not helpful', async () => {
  const { user, calls, toasts } = await openChat({
    path: '/index?c=c1',
    records: [record('r1')],
    answers,
  });
  await user.click(thumb('没有帮助'));
  await settle();
  const card = screen.getByRole('dialog', { name: '哪里没有帮助' });
  const note = within(card).getByRole('textbox', { name: '说说哪里不对（可不填）' });
  expect(note).toHaveFocus();
  await user.click(note);
  await user.paste('长'.repeat(2001));
  expect(within(card).getByRole('alert')).toHaveTextContent('最多 2,000 字，现在 2,001 字');
  await user.click(within(card).getByRole('button', { name: '提交' }));
  expect(card).toBeInTheDocument();
  await user.clear(note);
  await user.type(note, '  答非所问 ');
  await user.click(within(card).getByRole('button', { name: '提交' }));
  await settle();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(rated(calls)).toEqual([
    { recordId: 'r1', rating: -1 },
    { recordId: 'r1', rating: -1, note: '答非所问' },
  ]);
  expect(toasts.at(-1)).toMatchObject({ kind: 'success', text: '已记下，谢谢' });
  expect(thumb('没有帮助')).toHaveAttribute('aria-pressed', 'true');
});

test('reports a rejected rating and restores the previous one', async () => {
  const { user, toasts } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { feedback: { rating: 1, note: '' } })],
    answers: {
      'POST /api/feedback': () => {
        throw failure(503, 'unavailable', '服务器正忙');
      },
    },
  });
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'true');
  await user.click(thumb('没有帮助'));
  await settle();
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'true');
  expect(thumb('没有帮助')).toHaveAttribute('aria-pressed', 'false');
  expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '服务器正忙' });
});

test('stores the last of several quick ratings', async () => {
  const waiting: (() => void)[] = [];
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [record('r1')],
    answers: { 'POST /api/feedback': () => new Promise<void>((resolve) => waiting.push(resolve)) },
  });
  await user.click(thumb('有帮助'));
  await user.click(thumb('有帮助'));
  await user.click(thumb('没有帮助'));
  expect(rated(calls)).toHaveLength(1);
  while (waiting.length) {
    waiting.shift()!();
    await settle();
  }
  expect(rated(calls).at(-1)).toEqual({ recordId: 'r1', rating: -1 });
  expect(thumb('没有帮助')).toHaveAttribute('aria-pressed', 'true');
});

test('refreshes the ratings when the tab becomes visible', async () => {
  const setting = { path: '/index?c=c1', records: [record('r1')] };
  await openChat(setting);
  setting.records = [record('r1', { feedback: { rating: -1, note: 'x' } })];
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await settle();
  expect(thumb('没有帮助')).toHaveAttribute('aria-pressed', 'true');
});

test('a refresh that was read before a rating was stored does not undo it', async () => {
  const stored = Promise.withResolvers<object>();
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1')],
    answers: { 'POST /api/feedback': () => stored.promise },
  });
  await user.click(thumb('有帮助'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await settle();
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'true');
  stored.resolve({});
  await settle();
  expect(thumb('有帮助')).toHaveAttribute('aria-pressed', 'true');
});

test('offers no rating for a running or interrupted answer', async () => {
  await openChat({
    path: '/index?c=c1',
    records: [record('r2', { status: 'answering' }), record('r1', { status: 'failed' })],
  });
  expect(screen.queryByRole('button', { name: '有帮助' })).toBeNull();
});
