import { afterEach, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openChat } from '../testing/open-chat.tsx';

const { matchMedia } = window;
afterEach(() => {
  window.matchMedia = matchMedia;
});

test('a wide window hides and shows the panel, keeps the focus on the reversing button, and remembers it', async () => {
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('min-width') }) as MediaQueryList;
  const kept = new Map<string, string>();
  const first = await openChat({ kept });
  const layout = () => screen.getByRole('main').firstElementChild;
  const hide = () => screen.getByRole('button', { name: '收起会话' });
  const show = () => screen.getByRole('button', { name: '展开会话' });
  expect(layout()).not.toHaveAttribute('data-collapsed');
  expect(hide()).toHaveAttribute('aria-expanded', 'true');
  hide().focus();
  await first.user.keyboard('{Enter}');
  expect(layout()).toHaveAttribute('data-collapsed');
  expect(show()).toHaveFocus();
  expect(show()).toHaveAttribute('aria-expanded', 'false');
  first.unmount();

  const second = await openChat({ kept });
  expect(layout()).toHaveAttribute('data-collapsed');
  await second.user.click(show());
  expect(layout()).not.toHaveAttribute('data-collapsed');
  expect(hide()).toHaveFocus();
  expect(kept.size).toBe(0);
});
