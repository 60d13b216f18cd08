import { expect, jest, test } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import type { Citation } from 'api/contract/answers';
import { articles, field, openChat, sentQuestions, settle } from './testing/open-chat.tsx';
import { conversation, DONE, pageOf, RECORD, record } from './testing/samples.ts';

test('shows the hint, two rows and the send button on an empty page', async () => {
  await openChat();
  expect(screen.getByText('请输入以咨询问题')).toBeInTheDocument();
  expect(field()).toHaveAttribute('rows', '2');
  expect(screen.getByRole('button', { name: '发送' })).toBeEnabled();
  expect(screen.getByRole('log', { name: '对话' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1, name: '新咨询' })).toBeInTheDocument();
});

test.each([
  ['the questions that the desk offers', () => ({ starters: ['门店几点开门？'] }), ['门店几点开门？']],
  ['nothing where the desk offers none', () => ({ starters: [] }), []],
] as const)('an empty page offers %s', async (_, starters, shown) => {
  const { user, calls } = await openChat({ answers: { 'GET /api/starters': starters } });
  const section = screen.queryByRole('region', { name: '可以这样问' });
  expect(
    section
      ? within(section)
          .getAllByRole('button')
          .map((one) => one.textContent)
      : [],
  ).toEqual(shown);
  if (!section) return;
  await user.click(within(section).getByRole('button'));
  expect(sentQuestions(calls)[0]).toMatchObject({ text: '门店几点开门？' });
});

test('Escape stops the answer, keeps its text and says so', async () => {
  const { user, calls, streams } = await openChat();
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  streams[0]!.send('delta', { text: '前半' }, 2);
  await settle();
  expect(screen.getByRole('button', { name: '发送' })).toHaveAttribute('aria-disabled', 'true');
  await user.type(field(), '下一个{Enter}');
  expect(field()).toHaveValue('下一个');

  await user.keyboard('{Escape}');
  const stop = { method: 'POST', url: '/api/chat/r1/stop' };
  expect(calls).toContainEqual(expect.objectContaining(stop));
  streams[0]!.send('done', { ...DONE, status: 'stopped', source: 'none', response: '前半' }, 2);
  await settle();
  expect(articles()[1]).toHaveTextContent('已停止，以上内容已保留');
  expect(articles()[1]).not.toHaveTextContent('未答');
  expect(field()).toHaveValue('下一个');
});

test('Escape closes the last opened layer before it stops the answer', async () => {
  const { user, calls, streams } = await openChat({ conversations: [conversation('c1')] });
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  await settle();
  const stops = () => calls.filter(({ url }) => url.endsWith('/stop')).length;
  const panel = document.getElementById('side')!;
  await user.click(screen.getByRole('button', { name: '展开会话' }));
  await user.click(screen.getByRole('button', { name: '更多：title c1' }));
  await settle();

  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(panel).toHaveAttribute('data-open');
  await user.type(screen.getByRole('searchbox'), '退');
  await user.keyboard('{Escape}');
  expect(screen.getByRole('searchbox')).toHaveValue('');
  expect(panel).toHaveAttribute('data-open');
  await user.keyboard('{Escape}');
  expect(panel).not.toHaveAttribute('data-open');
  expect(stops()).toBe(0);
  await user.keyboard('{Escape}');
  expect(stops()).toBe(1);
});

test('Escape closes a dialog but not the card that opened it, and is ignored in a dialog of the host', async () => {
  const citations: Citation[] = [
    { title: '政策', quote: '三天', start: 0, end: 2, href: '/api/passages/p1' },
  ];
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [
      record('r2', { status: 'answering', answer: '' }),
      record('r1', { answer: '三天[1]', citations }),
    ],
  });
  await user.click(screen.getAllByRole('button', { name: /政策/ })[0]!);
  await settle();
  expect(screen.getByRole('complementary', { name: '政策' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary', { name: '政策' })).toBeNull();

  const outside = document.body.appendChild(document.createElement('button'));
  outside.focus();
  await user.keyboard('{Escape}');
  expect(calls.some(({ url }) => url.endsWith('/stop'))).toBe(false);
  outside.remove();
});

test.each([
  ['its conversation', '/index?c=c1'],
  ['a new conversation', '/index'],
])('does not render the side panel rows again when an answer of %s starts and ends', async (_, path) => {
  const conversations = Array.from({ length: 50 }, (_, index) => conversation(`c${index}`));
  const view = await openChat({ path, conversations, records: [record('r1')] });
  const locale = jest.spyOn(view.services.i18n, 'locale');
  // Every row reads the locale when it renders.
  await view.user.type(field(), '退款{Enter}');
  view.streams[0]!.send('record', { ...RECORD, recordId: 'r2' }, 0);
  view.streams[0]!.send('done', { ...DONE, recordId: 'r2', response: '三个工作日' }, 5);
  await settle();
  expect(articles().at(-1)).toHaveTextContent('三个工作日');
  expect(locale.mock.calls.length).toBeLessThan(conversations.length);
});

test('changes all texts when the language is switched, also in messages and cards', async () => {
  const { services } = await openChat({ path: '/index?c=c1', records: [record('r1')] });
  act(() => services.i18n.language$.next('en'));
  expect(screen.getByRole('button', { name: 'Send' })).toBeInTheDocument();
  expect(screen.getByRole('article', { name: 'My question' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy answer' })).toBeInTheDocument();
});

test('drafts and the conversation survive a reload; each conversation has its own draft', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept, path: '/index?c=c1', records: [record('r1')] });
  await first.user.type(field(), '没写完');
  first.unmount();

  const second = await openChat({ kept, path: '/index?c=c1', records: [record('r1')] });
  expect(field()).toHaveValue('没写完');
  expect(articles()).toHaveLength(2);
  await second.user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(field()).toHaveValue('');
  expect(second.address()).toBe('/index');
});

test('never shows the draft of a new conversation in another one, not even while that is loading', async () => {
  const drafts = new Set<string | undefined>();
  const kept = new (class extends Map<string, string> {
    override get(key: string) {
      if (key.includes('/draft:')) drafts.add(key.split('/draft:')[1]);
      return super.get(key);
    }
  })();
  await openChat({ kept, path: '/index?c=c1', records: [record('r1')] });
  expect([...drafts]).toEqual(['c1']);
});

test('older messages that arrive after another conversation was opened are not shown there', async () => {
  const late = Promise.withResolvers<void>();
  const first = Array.from({ length: 60 }, (_, index) => record(`one-${index}`));
  const { user, calls } = await openChat({
    path: '/index?c=c1&r=one-59',
    conversations: [conversation('c1'), conversation('c2')],
    answers: {
      'GET /api/conversations/c1/records': async ({ params }) => {
        if (params.cursor) await late.promise;
        return pageOf('records', first, params);
      },
      'GET /api/conversations/c2/records': ({ params }) => pageOf('records', [record('two')], params),
    },
  });
  // 50 are read to be saved in the browser.
  const read = (id: string) =>
    calls.filter(({ url, params }) => url === `/api/conversations/${id}/records` && params.limit !== 50);
  expect(read('c1')).toHaveLength(2);

  await user.click(screen.getByRole('link', { name: /title c2/ }));
  await settle();
  expect(articles()).toHaveLength(2);
  late.resolve();
  await settle();

  expect(articles().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('question two'),
    expect.stringContaining('answer two'),
  ]);
  expect(read('c1')).toHaveLength(2);

  // The second time the conversation is complete again.
  await user.click(screen.getByRole('link', { name: /title c1/ }));
  await settle();
  expect(articles().at(-2)).toHaveTextContent('question one-0');
});

test('another owner sees no data of the previous one', async () => {
  const setting = { path: '/index?c=c1', conversations: [conversation('c1')], records: [record('r1')] };
  const { owner$, user } = await openChat(setting);
  await user.type(field(), '我的草稿');
  setting.conversations = [];
  setting.records = [];
  act(() => owner$.next('user:2'));
  await settle();
  expect(field()).toHaveValue('');
  expect(articles()).toEqual([]);
  expect(screen.queryByRole('link', { name: /title c1/ })).toBeNull();
});

test('shows a new conversation after sign-out, not an error that the conversation is missing', async () => {
  const setting = { path: '/index?c=c1', username: 'lin', token: 't1', records: [record('r1')] };
  const { owner$, services, calls, address } = await openChat(setting);
  expect(articles()).toHaveLength(2);
  calls.length = 0;
  act(() => {
    services.token$.next('');
    owner$.next('guest');
  });
  await settle();
  expect(address()).toBe('/index');
  expect(screen.getByText('请输入以咨询问题')).toBeInTheDocument();
  const others = ['/api/models', '/api/starters'];
  expect(calls.map(({ url }) => url).filter((url) => !others.includes(url))).toEqual(['/api/conversations']);
});

test('shows English texts when the language is English', async () => {
  await openChat({ language: 'en' });
  expect(screen.getByPlaceholderText('Your question')).toBeInTheDocument();
  expect(screen.getByText('Type a question to begin')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Send' })).toBeInTheDocument();
});

test('leaves no listeners, subscriptions or connections after unmounting', async () => {
  const setting = { path: '/index?c=c1', conversations: [conversation('c1')], records: [record('r1')] };
  // The first mount adds listeners that stay for good, such as those of user-event.
  (await openChat(setting)).unmount();
  const left = [window, document].map(countListeners);
  // The code that handles dropped files is loaded, too.
  await import('./ask/files/files-part.ts');

  const view = await openChat(setting);
  await view.user.type(field(), '退款{Enter}');
  view.streams[0]!.send('record', RECORD, 0);
  view.streams[0]!.send('delta', { text: 'a' }, 1);
  await settle();
  view.streams[0]!.cut();
  await settle();
  const before = view.calls.length;
  view.unmount();

  expect(left.map((count) => count())).toEqual([[], []]);
  expect(view.owner$.observed).toBe(false);
  expect(view.services.session.username$.observed).toBe(false);
  // Would end the pause before the next attempt to connect.
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(view.calls).toHaveLength(before);
});

/** Returns a function that lists the types of listeners added since and not removed. */
function countListeners(target: EventTarget): () => string[] {
  const open = new Map<unknown, Set<string>>();
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  jest.spyOn(target, 'addEventListener').mockImplementation((type, listener, options) => {
    open.set(listener, (open.get(listener) ?? new Set()).add(type));
    const { signal } = typeof options === 'object' ? options : {};
    signal?.addEventListener('abort', () => open.get(listener)?.delete(type));
    add(type, listener, options);
  });
  jest.spyOn(target, 'removeEventListener').mockImplementation((type, listener, options) => {
    open.get(listener)?.delete(type);
    remove(type, listener, options);
  });
  return () => [...open.values()].flatMap((types) => [...types]);
}

test('shows no hint of a new version while there is a draft or a running answer', async () => {
  const { user, streams, isHeld$ } = await openChat();
  expect(isHeld$.value).toBe(false);
  await user.type(field(), '退款');
  expect(isHeld$.value).toBe(true);
  await user.clear(field());
  expect(isHeld$.value).toBe(false);

  await user.type(field(), '退款');
  await user.click(screen.getByRole('button', { name: '发送' }));
  expect(field()).toHaveValue('');
  expect(isHeld$.value).toBe(true);
  streams[0]!.send('record', RECORD, 0);
  await settle();
  expect(isHeld$.value).toBe(true);
  streams[0]!.send('done', { ...DONE, response: '三个工作日' }, 5);
  await settle();
  expect(isHeld$.value).toBe(false);
});

test('the title of a conversation that is in no list is the first line of its question', async () => {
  await openChat({ path: '/index?c=c1', records: [record('r1', { question: '能退吗？\n订单 A1024' })] });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^能退吗？$/);
});
