import { afterEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { field, openChat, settle } from '../testing/open-chat.tsx';
import { conversation, pageOf } from '../testing/samples.ts';

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

test('a drawer is closed by a wide window, and stays closed when that becomes narrow again', async () => {
  const media = Object.assign(new EventTarget(), { media: '', matches: false });
  const other = Object.assign(new EventTarget(), { media: '', matches: false });
  window.matchMedia = (query) => (query.includes('min-width') ? media : other) as MediaQueryList;
  const resize = async (isWide: boolean) => {
    media.matches = isWide;
    act(() => void media.dispatchEvent(new Event('change')));
    await settle();
  };
  const { user } = await openChat({ conversations: [conversation('c1')] });
  await user.click(screen.getByRole('button', { name: '展开会话' }));
  const consultation = screen.getByRole('region', { name: '咨询', hidden: true });
  expect(consultation).toHaveAttribute('inert');
  await resize(true);
  expect(consultation).not.toHaveAttribute('inert');
  await resize(false);
  expect(consultation).not.toHaveAttribute('inert');
});

test('an open drawer makes the page around it inert, except for what lies above it and live regions', async () => {
  const { user } = await openChat({ conversations: [conversation('c1')] });
  const opener = screen.getByRole('button', { name: '展开会话' });
  opener.focus();
  await user.keyboard('{Enter}');
  const consultation = screen.getByRole('region', { name: '咨询', hidden: true });
  expect(consultation).toHaveAttribute('inert');
  expect(
    screen.getByRole('main').querySelectorAll('[inert] [role="status"]:not([role="log"] *)'),
  ).toHaveLength(0);
  expect(screen.getByRole('complementary', { name: '会话' })).toContainElement(
    document.activeElement as HTMLElement,
  );
  await user.keyboard('{Escape}');
  expect(consultation).not.toHaveAttribute('inert');
  expect(opener).toHaveFocus();
});

test('a new question from the drawer closes it and leads to the text box', async () => {
  const { user } = await openChat({ conversations: [conversation('c1')] });
  await user.click(screen.getByRole('button', { name: '展开会话' }));
  await user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(field()).toHaveFocus();
  expect(screen.getByRole('region', { name: '咨询' })).not.toHaveAttribute('inert');
});

test('the card of an account is shown for one day', async () => {
  const kept = new Map<string, string>();
  const account = { username: 'lin', token: 't', kept };
  const card = () => screen.queryByRole('heading', { name: /lin/ });
  const first = await openChat(account);
  expect(card()).toBeInTheDocument();
  first.unmount();
  const second = await openChat(account);
  expect(card()).toBeInTheDocument();
  second.unmount();

  for (const [key, stored] of kept) kept.set(key, String(Number(stored) - 25 * 3_600_000));
  await openChat(account);
  expect(card()).toBeNull();
});

test('the list reads its next page when its end is near, or on request', async () => {
  const all = Array.from({ length: 150 }, (_, n) => conversation(`c${n}`));
  const { user, calls } = await openChat({
    answers: { 'GET /api/conversations': ({ params }) => pageOf('conversations', all, params) },
  });
  const pages = () =>
    calls.filter(({ method, url }) => method === 'GET' && url === '/api/conversations').length;
  const list = screen.getByRole('group', { name: '会话列表' });
  const scroll = async (scrollTop: number) => {
    Object.defineProperties(list, {
      scrollHeight: { configurable: true, value: 2000 },
      clientHeight: { configurable: true, value: 500 },
      scrollTop: { configurable: true, value: scrollTop },
    });
    fireEvent.scroll(list);
    await settle();
  };
  await scroll(1300);
  expect(pages()).toBe(1);
  await scroll(1301);
  expect(pages()).toBe(2);
  await user.click(screen.getByRole('button', { name: '显示更多' }));
  await settle();
  expect(pages()).toBe(3);
  expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull();
  await scroll(1500);
  expect(pages()).toBe(3);
});
