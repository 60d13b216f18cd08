import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { Citation } from 'api/contract/answers';
import { failure } from 'host/stand-ins';
import { createEventSource } from './testing/event-source.ts';
import { openChat, settle } from './testing/open-chat.tsx';
import { conversation, pageOf, record } from './testing/samples.ts';

const RECORD = { recordId: 'r1', conversationId: 'c1', clientId: null };
const DONE = {
  recordId: 'r1',
  conversationId: 'c1',
  citations: [],
  source: 'document' as const,
  status: 'done' as const,
  suggestions: [],
};
const field = () => screen.getByPlaceholderText<HTMLTextAreaElement>('请输入问题');
const articles = () => screen.queryAllByRole('article');
const asked = (calls: { method: string; url: string; body: unknown }[]) =>
  calls
    .filter(({ method, url }) => method === 'POST' && url === '/api/chat')
    .map(({ body }) => body as { text: string; clientId: string });

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
  expect(asked(calls)[0]).toMatchObject({ text: '门店几点开门？' });
});

test.each([true, false])(
  'focuses the textarea with a mouse (%s) but not on a touch screen',
  async (isFine) => {
    window.matchMedia = (query) =>
      Object.assign(new EventTarget(), { matches: isFine && query.includes('fine') }) as MediaQueryList;
    await openChat();
    expect(document.activeElement === field()).toBe(isFine);
    Reflect.deleteProperty(window, 'matchMedia');
  },
);

test('sends trimmed text, shows the question with a placeholder, and fills the placeholder as the answer arrives', async () => {
  const { user, calls, streams, address } = await openChat();
  await user.type(field(), '  退款几天到账  ');
  await user.click(screen.getByRole('button', { name: '发送' }));

  expect(field()).toHaveValue('');
  expect(asked(calls)[0]).toMatchObject({ text: '退款几天到账', clientId: expect.any(String) });
  expect(articles().map((article) => article.getAttribute('aria-label'))).toEqual([
    '我的问题',
    '咨询台的回答',
  ]);
  expect(screen.getByText('正在查找')).toBeInTheDocument();
  expect(screen.getByRole('log')).toHaveAttribute('aria-busy', 'true');

  streams[0]!.send('record', RECORD, 0);
  streams[0]!.send('delta', { text: '三个' }, 2);
  await settle();
  expect(articles()[1]).toHaveTextContent('正在回答');
  expect(articles()[1]).toHaveTextContent('三个');
  expect(address()).toBe('/index?c=c1');

  streams[0]!.send('done', { ...DONE, response: '三个工作日' }, 5);
  await settle();
  expect(articles()[1]).toHaveTextContent('三个工作日');
  expect(articles()[1]).toHaveTextContent('资料');
  expect(screen.getByRole('log')).toHaveAttribute('aria-busy', 'false');
  expect(screen.getAllByRole('status').map((status) => status.textContent)).toContain(
    '咨询台的回答: 三个工作日',
  );
});

test('ignores blank text', async () => {
  const { user, calls } = await openChat();
  await user.type(field(), '  \n ');
  await user.click(screen.getByRole('button', { name: '发送' }));
  await user.type(field(), '{Enter}');
  expect(asked(calls)).toEqual([]);
  expect(articles()).toEqual([]);
});

test('sends on Enter and inserts a line break on Shift + Enter', async () => {
  const { user, calls } = await openChat();
  await user.type(field(), 'a{Shift>}{Enter}{/Shift}b');
  expect(asked(calls)).toEqual([]);
  await user.type(field(), '{Enter}');
  expect(asked(calls)[0]).toMatchObject({ text: 'a\nb' });
});

test('does not send on an Enter that confirms a composition, in any order of events', async () => {
  const { calls } = await openChat();
  fireEvent.change(field(), { target: { value: '你好' } });

  // Chromium and Firefox: keydown during the composition.
  fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
  fireEvent.compositionEnd(field());
  fireEvent.keyUp(field(), { key: 'Enter' });
  // Older browsers: only the key code shows it.
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
  // Safari: the composition ends before keydown.
  fireEvent.compositionEnd(field());
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(asked(calls)).toEqual([]);

  fireEvent.keyUp(field(), { key: 'Enter' });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(asked(calls)).toHaveLength(1);
});

test('leaves text that exceeds the limit in the composer and says so', async () => {
  const { user, calls } = await openChat();
  fireEvent.change(field(), { target: { value: '长'.repeat(8_001) } });
  await user.click(screen.getByRole('button', { name: '发送' }));
  expect(screen.getByRole('alert')).toHaveTextContent('最多 8,000 字，现在 8,001 字');
  expect(field().value).toHaveLength(8_001);
  expect(asked(calls)).toEqual([]);

  fireEvent.change(field(), { target: { value: '长'.repeat(8_000) } });
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: '发送' }));
  expect(asked(calls)).toMatchObject([{ text: '长'.repeat(8_000) }]);
});

test('keeps a failed question and sends it again with the same id', async () => {
  let isDown = true;
  const { user, calls, streams } = await openChat({
    answers: {
      'POST /api/chat': () => {
        if (isDown) throw failure(400, 'invalid_request', '请求有误');
        throw failure(429, 'rate_limited', '太快了', 7);
      },
    },
  });
  await user.type(field(), '退款{Enter}');
  await settle();
  expect(articles()[0]).toHaveTextContent('退款');
  expect(articles()[0]).toHaveTextContent('没有发出，内容已保留');
  expect(screen.getByRole('alert')).toHaveTextContent('请求有误');
  expect(screen.getByRole('log')).not.toHaveTextContent('回答中断');

  isDown = false;
  await user.click(screen.getByRole('button', { name: '重新发送' }));
  await settle();
  const [first, second] = asked(calls);
  expect(second).toEqual(first);
  expect(screen.getByRole('alert')).toHaveTextContent('提问太快，7 秒后可以再试');
  expect(screen.getByRole('button', { name: '重新发送' })).toHaveAttribute('aria-disabled', 'true');
  expect(streams).toHaveLength(0);
});

test.each([
  ['refused', 400, 'c1', '/index?c=c1'],
  ['for a conversation that is gone', 404, 'c1', '/index'],
  ['of a new conversation', 400, null, '/index'],
])(
  'a question %s becomes a draft when its conversation is left, and is not sent automatically',
  async (_, status, c, then) => {
    const kept = new Map<string, string>();
    const path = c ? `/index?c=${c}` : '/index';
    const first = await openChat({
      kept,
      path,
      records: c ? [record('r1')] : [],
      answers: {
        'POST /api/chat': () => {
          throw failure(status, 'refused', '不行');
        },
      },
    });
    await first.user.type(field(), '退款{Enter}');
    expect(await screen.findByText('没有发出，内容已保留')).toBeInTheDocument();
    first.unmount();

    const second = await openChat({ kept, path: then });
    expect(asked(second.calls)).toEqual([]);
    expect(field()).toHaveValue('退款');
  },
);

/** POST /api/chat fails with a network error until `connect()` is called, then succeeds. */
function disconnected() {
  let isOffline = true;
  const source = createEventSource();
  const answers = {
    'POST /api/chat': () => {
      if (isOffline) throw failure(0, 'offline', '连不上服务器');
      return source.stream;
    },
  };
  const connect = async () => {
    isOffline = false;
    window.dispatchEvent(new Event('online'));
    source.send('record', RECORD, 0);
    await settle();
  };
  return { answers, connect };
}

test('shows a question without a connection as unsent and sends it when the connection is back', async () => {
  const { answers, connect } = disconnected();
  const { user, calls } = await openChat({ answers });
  await user.type(field(), '退款{Enter}');
  await settle();
  expect(articles()).toHaveLength(1);
  expect(articles()[0]).toHaveTextContent('没有发出');
  expect(screen.getByRole('log')).not.toHaveTextContent(/回答中断|正在查找/);

  await connect();
  const sent = asked(calls);
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1);
  expect(screen.getByRole('log')).not.toHaveTextContent('没有发出');
  expect(articles()[1]).toHaveTextContent('正在查找');
  // All attempts but the last have failed.
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(asked(calls)).toHaveLength(sent.length);
});

test('sends an unsent question immediately on request, and makes it a draft when stopped', async () => {
  const { answers } = disconnected();
  const { user, calls, kept } = await openChat({ answers });
  await user.type(field(), '退款{Enter}');
  await settle();
  const before = asked(calls).length;
  await user.click(screen.getByRole('button', { name: '立即发送' }));
  await settle();
  expect(asked(calls).length).toBeGreaterThan(before);

  await user.click(screen.getByRole('button', { name: '停止' }));
  await settle();
  expect(articles()).toEqual([]);
  expect(field()).toHaveValue('退款');
  expect([...kept.keys()].some((key) => key.endsWith('/pending'))).toBe(false);
});

test.each([
  ['shown', '/index?c=c1'],
  ['another one', '/index'],
])('an unsent question survives a reload and is sent when its conversation is %s', async (_, path) => {
  const kept = new Map<string, string>();
  const first = await openChat({
    kept,
    path: '/index?c=c1',
    records: [record('r1')],
    answers: disconnected().answers,
  });
  await first.user.type(field(), '退款{Enter}');
  await settle();
  const { clientId } = asked(first.calls)[0]!;
  first.unmount();
  makeOlder(kept, 3_600_000);

  const second = await openChat({ kept, path, records: [record('r1')] });
  expect(asked(second.calls)).toEqual([{ text: '退款', clientId, conversationId: 'c1' }]);
  expect(field()).toHaveValue('');
  second.streams[0]!.send('record', { ...RECORD, recordId: 'r2' }, 0);
  await settle();
  second.unmount();

  const third = await openChat({ kept, path, records: [record('r1')] });
  expect(asked(third.calls)).toEqual([]);
});

test('an unsent question becomes a draft after a day', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept, answers: disconnected().answers });
  await first.user.type(field(), '退款{Enter}');
  first.unmount();
  makeOlder(kept, 25 * 3_600_000);

  const second = await openChat({ kept });
  expect(asked(second.calls)).toEqual([]);
  expect(field()).toHaveValue('退款');
});

test('sends an unsent question once, even after its conversation was left and opened again', async () => {
  const { answers, connect } = disconnected();
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    conversations: [conversation('c1'), conversation('c2')],
    records: [record('r1')],
    answers,
  });
  await user.type(field(), '退款{Enter}');
  await settle();
  for (const title of [/title c2/, /title c1/]) {
    await user.click(screen.getByRole('link', { name: title }));
    await settle();
  }
  expect(articles().at(-1)).toHaveTextContent('没有发出');
  const before = asked(calls).length;
  await connect();
  expect(asked(calls)).toHaveLength(before + 1);
  expect(articles().at(-1)).toHaveAccessibleName('咨询台的回答');
});

/** Makes the stored question older by `age` ms. */
function makeOlder(kept: Map<string, string>, age: number): void {
  for (const [key, text] of kept)
    kept.set(
      key,
      text.replaceAll(/"at":(\d+)/g, (_, at) => `"at":${Number(at) - age}`),
    );
}

test('repeats a retry that did not reach the server, and does not take the old answer for the new one', async () => {
  const retried = createEventSource();
  let tries = 0;
  const { user, calls, streams } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '旧的回答' })],
    answers: {
      'POST /api/chat/r1/retry': () => {
        tries += 1;
        if (tries < 3) throw failure(0, 'offline', '连不上服务器');
        return retried.stream;
      },
    },
  });
  await user.click(screen.getByRole('button', { name: '重新回答' }));
  await settle();
  for (let event = 0; event < 2; event += 1) {
    window.dispatchEvent(new Event('online'));
    await settle();
  }
  const retries = calls.filter(({ method }) => method === 'POST');
  expect(retries.map(({ url }) => url)).toEqual(Array(3).fill('/api/chat/r1/retry'));
  expect(new Set(retries.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(streams).toEqual([]);
  retried.send('record', RECORD, 0);
  retried.send('done', { ...DONE, response: '新的回答' }, 4);
  await settle();
  expect(articles()[1]).toHaveTextContent('新的回答');
});

test('stopping a retry that did not reach the server restores the old answer', async () => {
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '旧的回答' })],
    answers: {
      'POST /api/chat/r1/retry': () => {
        throw failure(0, 'offline', '连不上服务器');
      },
    },
  });
  await user.click(screen.getByRole('button', { name: '重新回答' }));
  await settle();
  await user.click(screen.getByRole('button', { name: '停止' }));
  const retries = () => calls.filter(({ url }) => url.startsWith('/api/chat/')).length;
  const before = retries();
  expect(articles()[1]).toHaveTextContent('旧的回答');
  expect(screen.getByRole('button', { name: '重新回答' })).toBeVisible();
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(retries()).toBe(before);
});

test('keeps the text of an interrupted answer and offers to answer again', async () => {
  const { user, calls, streams } = await openChat();
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  streams[0]!.send('delta', { text: '说到一半' }, 4);
  streams[0]!.send(
    'error',
    {
      code: 502,
      error: 'model_failed',
      msg: '回答中断：被模型的内容过滤拦截',
      requestId: 'q',
      recordId: 'r1',
    },
    4,
  );
  await settle();
  expect(articles()[1]).toHaveTextContent('说到一半');
  expect(screen.getByRole('alert')).toHaveTextContent('回答中断：被模型的内容过滤拦截');

  await user.click(screen.getByRole('button', { name: '重新回答' }));
  expect(calls.at(-1)).toMatchObject({ method: 'POST', url: '/api/chat/r1/retry' });
  expect(articles()[1]).toHaveTextContent('说到一半');
  streams[1]!.send('record', RECORD, 0);
  streams[1]!.send('delta', { text: '新的' }, 2);
  await settle();
  expect(articles()[1]).toHaveTextContent('新的');
  expect(articles()[1]).not.toHaveTextContent('说到一半');
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
  expect(calls.at(-1)).toMatchObject({ method: 'POST', url: '/api/chat/r1/stop' });
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
    answers: {
      'GET /api/passages/p1': () => ({ title: '政策', text: '三天', start: 0, end: 2, place: '' }),
    },
  });
  await user.click(screen.getAllByRole('button', { name: /政策/ })[0]!);
  await settle();
  await user.click(screen.getByRole('button', { name: '打开原文' }));
  await user.keyboard('{Escape}');
  expect(document.querySelector('dialog')).toBeNull();
  expect(screen.getByRole('dialog', { name: '引用 1：政策' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();

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

test('resumes an answer that is running when the page opens', async () => {
  const { calls, streams } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { status: 'answering', answer: '已经说' })],
  });
  expect(calls.at(-1)).toMatchObject({ method: 'GET', url: '/api/chat/r1', headers: { 'Last-Event-ID': 3 } });
  streams[0]!.send('delta', { text: '过的' }, 5);
  await settle();
  expect(articles()[1]).toHaveTextContent('已经说过的');
});

test('reports a lost connection without an error message and reconnects immediately on request', async () => {
  const { user, calls, streams } = await openChat();
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  streams[0]!.send('delta', { text: '退款' }, 2);
  await settle();
  for (let stream = 0; stream < 3; stream += 1) {
    const before = calls.length;
    streams[stream]!.cut();
    await eventually(() => expect(streams.length).toBeGreaterThan(stream + 1));
    expect(calls.slice(before).at(-1)).toMatchObject({
      url: '/api/chat/r1',
      headers: { 'Last-Event-ID': 2 },
    });
  }
  streams[3]!.send('done', { ...DONE, response: '退款好了' }, 4);
  await settle();
  expect(articles()[1]).toHaveTextContent('退款好了');
}, 15_000);

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

test('sends a question again, with its id, that was unconfirmed when the page was closed', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept });
  await first.user.type(field(), '退款{Enter}');
  const { clientId } = asked(first.calls)[0]!;
  first.unmount();
  expect(first.calls.at(-1)!.signal!.aborted).toBe(true);

  const second = await openChat({ kept });
  expect(asked(second.calls)).toEqual([{ text: '退款', clientId }]);
  second.streams[0]!.send('record', RECORD, 0);
  await settle();
  second.unmount();

  const third = await openChat({ kept });
  expect(asked(third.calls)).toEqual([]);
});

test('renders only the last message for a streamed token', async () => {
  const records = Array.from({ length: 20 }, (_, index) => record(`old${index}`));
  const view = await openChat({ path: '/index?c=c1', records });
  expect(articles()).toHaveLength(40);
  await view.user.type(field(), '退款{Enter}');
  view.streams[0]!.send('record', RECORD, 0);
  view.streams[0]!.send('delta', { text: '0' }, 1);
  await settle();

  // Every message reads its avatar when it renders.
  const renders = { user: 0, bot: 0 };
  for (const who of ['user', 'bot'] as const)
    Object.defineProperty(view.services.avatars, who, {
      get: () => {
        renders[who] += 1;
        return `${who}.svg`;
      },
    });
  for (let token = 1; token <= 10; token += 1) {
    view.streams[0]!.send('delta', { text: `${token % 10}` }, token + 1);
    await settle();
  }
  expect(articles().at(-1)).toHaveTextContent('01234567890');
  expect(renders.user).toBe(0);
  expect(renders.bot).toBe(10);
});

test('announces the finished answer once, as plain text, and nothing before', async () => {
  const { user, streams, container } = await openChat();
  const announced: string[] = [];
  const watching = new MutationObserver(() => {
    for (const { textContent } of container.querySelectorAll('main [role=status]'))
      if (textContent && textContent !== announced.at(-1)) announced.push(textContent);
  });
  watching.observe(container, { subtree: true, childList: true, characterData: true });
  await user.type(field(), '退款{Enter}');
  streams[0]!.send('record', RECORD, 0);
  for (const [index, text] of ['**三个**', '工作', '日[1]'].entries()) {
    streams[0]!.send('delta', { text }, index + 1);
    await settle();
  }
  expect(announced).toEqual([]);

  streams[0]!.send('done', { ...DONE, response: '**三个**工作日[1]' }, 3);
  await settle();
  watching.disconnect();
  expect(announced).toEqual(['咨询台的回答: 三个工作日']);
});

test('renders tokens that arrive within one frame once', async () => {
  const view = await openChat();
  await view.user.type(field(), '退款{Enter}');
  view.streams[0]!.send('record', RECORD, 0);
  view.streams[0]!.send('delta', { text: 'a' }, 1);
  await settle();
  let renders = 0;
  Object.defineProperty(view.services.avatars, 'bot', {
    get: () => {
      renders += 1;
      return 'bot.svg';
    },
  });
  await act(async () => {
    for (let unit = 2; unit <= 200; unit += 1) view.streams[0]!.send('delta', { text: 'a' }, unit);
    await new Promise((resolve) => setTimeout(resolve, 60));
  });
  expect(articles().at(-1)).toHaveTextContent('a'.repeat(200));
  expect(renders).toBeLessThanOrEqual(6);
});

test('opens the quote of a citation, and the original with the quote highlighted', async () => {
  const quote = '三个工作日内到账';
  const citations: Citation[] = [{ title: '退款政策', quote, start: 13, end: 21, href: '/api/passages/p1' }];
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '三个工作日[1]', citations })],
    answers: {
      'GET /api/passages/p1': () => ({
        title: '退款政策',
        text: `前文。${quote}。`,
        start: 10,
        end: 22,
        place: '第 3 节',
        columns: '| 方式 | 到账 |',
      }),
    },
  });
  await user.click(within(articles()[1]!).getAllByRole('button', { name: /退款政策/ })[0]!);
  const card = await screen.findByRole('dialog', { name: '引用 1：退款政策' });
  expect(card).toHaveTextContent(quote);
  await settle();
  expect(card).toHaveTextContent('第 3 节');
  await user.click(within(card).getByRole('button', { name: '打开原文' }));
  expect(document.querySelector('dialog mark')).toHaveTextContent(quote);
  expect(screen.getByText('| 方式 | 到账 |')).toBeVisible();

  await user.click(screen.getByRole('button', { name: '关闭' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  const mark = document.activeElement;
  expect(mark).toHaveAccessibleName('引用 1：退款政策');
  // Browsers break lines next to boxes such as button elements, even next to U+2060.
  expect(mark?.tagName).toBe('SPAN');
  await user.keyboard(' ');
  expect(await screen.findByRole('dialog', { name: '引用 1：退款政策' })).toBeVisible();
  await user.keyboard('{Escape}');
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: '引用 1：退款政策' })).toBeVisible();
});

test('shows code in a quote and its original as code instead of backticks', async () => {
  const quote = '天数由 `GUEST_DAYS` 决定，**不可**延长';
  const citations: Citation[] = [
    { title: '访客', quote, start: 3, end: 3 + quote.length, href: '/api/passages/p1' },
  ];
  const text = `见 \`a\`。${quote}，用 \`b\`。`;
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '七天[1]', citations })],
    answers: {
      'GET /api/passages/p1': () => ({ title: '访客', text, start: 0, end: text.length, place: '' }),
    },
  });
  await user.click(screen.getAllByRole('button', { name: /访客/ })[0]!);
  await settle();
  const shown = screen.getByText(/天数由/);
  expect(shown).toHaveTextContent('天数由 GUEST_DAYS 决定，不可延长');
  expect(shown.querySelector('code')).toHaveTextContent('GUEST_DAYS');
  await user.click(screen.getByRole('button', { name: '打开原文' }));
  const original = document.querySelector('dialog mark')!.parentElement!;
  expect(original).toHaveTextContent('见 a。天数由 GUEST_DAYS 决定，不可延长，用 b。');
  expect([...original.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual([
    'a',
    'GUEST_DAYS',
    'b',
  ]);
});

test('formats a phone number in the same way in the chip, the list and above the question', async () => {
  const contact = { id: '13800138000', name: '' };
  await openChat({
    path: '/index?c=c1',
    conversations: [conversation('c1', { contact })],
    records: [record('r1', { contact })],
  });
  const groups = (element: HTMLElement) =>
    [...element.querySelectorAll('.num > span')].map(({ textContent }) => textContent);
  for (const place of [
    screen.getByRole('button', { name: /13800138000/ }),
    screen.getByRole('link', { name: /title c1/ }),
    screen.getByRole('article', { name: '我的问题' }),
  ])
    expect(groups(place)).toEqual(['138', '0013', '8000']);
});

test('asks a suggested question when it is pressed', async () => {
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { source: 'none', suggestions: ['怎样删除会话？'] })],
  });
  expect(articles()[1]).toHaveTextContent('未答');
  await user.click(screen.getByRole('button', { name: '怎样删除会话？' }));
  expect(asked(calls)[0]).toMatchObject({ text: '怎样删除会话？', conversationId: 'c1' });
});

test('renames a conversation, and restores the title when the server rejects it', async () => {
  let isRefused = false;
  const { user, calls, toasts } = await openChat({
    conversations: [conversation('c1')],
    answers: {
      'PATCH /api/conversations/c1': ({ body }) => {
        if (isRefused) throw failure(400, 'invalid_request', '名称有误');
        return conversation('c1', body as { title: string });
      },
    },
  });
  const rename = async (title: string) => {
    await user.click(screen.getByRole('button', { name: /^更多/ }));
    await settle();
    await user.click(await screen.findByRole('menuitem', { name: '重命名' }));
    await user.clear(screen.getByRole('textbox', { name: '会话名称' }));
    await user.type(screen.getByRole('textbox', { name: '会话名称' }), `${title}{Enter}`);
    await settle();
  };
  await rename('新名称');
  expect(calls.filter(({ method }) => method === 'PATCH')).toMatchObject([{ body: { title: '新名称' } }]);
  expect(screen.getByRole('link', { name: /新名称/ })).toBeInTheDocument();

  isRefused = true;
  await rename('别的');
  expect(screen.getByRole('link', { name: /新名称/ })).toBeInTheDocument();
  expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '名称有误' });
});

test('by keyboard, arrows stay in the menu, and focus stays in the list after renaming and deleting', async () => {
  const conversations = [conversation('c1'), conversation('c2')];
  const { user } = await openChat({
    conversations,
    answers: {
      'PATCH /api/conversations/c1': ({ body }) => conversation('c1', body as { title: string }),
      'DELETE /api/conversations/c1': () => ({ matched: 1, deleted: 1, undoToken: 'u', undoUntil: '' }),
    },
  });
  const openMenu = async () => {
    screen.getByRole('button', { name: /更多：.*c1/ }).focus();
    await user.keyboard('{Enter}');
    await settle();
  };
  await openMenu();
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('menuitem', { name: '删除会话' })).toHaveFocus();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.getByRole('textbox', { name: '会话名称' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('link', { name: /title c1/ })).toHaveFocus();

  await openMenu();
  await user.keyboard('{Enter}new c1{Enter}');
  await settle();
  expect(screen.getByRole('link', { name: /new c1/ })).toHaveFocus();

  await openMenu();
  await user.keyboard('{ArrowUp}{Enter}');
  await settle();
  expect(screen.getByRole('link', { name: /title c2/ })).toHaveFocus();
});

test('deletes a conversation immediately and offers to undo it', async () => {
  const conversations = [conversation('c1'), conversation('c2')];
  const { user, calls, toasts, address } = await openChat({
    path: '/index?c=c1',
    conversations,
    records: [record('r1')],
    answers: {
      'DELETE /api/conversations/c1': () => ({
        matched: 3,
        deleted: 3,
        undoToken: 'u',
        undoUntil: new Date(Date.now() + 5 * 86_400_000 - 1000).toISOString(),
      }),
      'POST /api/undo_delete': () => ({ restored: 3 }),
    },
  });
  await user.click(screen.getByRole('button', { name: '更多：title c1' }));
  await settle();
  await user.click(await screen.findByRole('menuitem', { name: '删除会话' }));
  await settle();
  expect(screen.queryByRole('link', { name: /title c1/ })).toBeNull();
  expect(address()).toBe('/index');
  expect(articles()).toEqual([]);
  expect(toasts.at(-1)).toMatchObject({ text: '已删除 3 条，5 天内可撤销', action: { label: '撤销' } });

  await act(async () => toasts.at(-1)!.action!.run());
  await settle();
  expect(calls.find(({ url }) => url === '/api/undo_delete')).toMatchObject({ body: { undoToken: 'u' } });
  expect(screen.getByRole('link', { name: /title c1/ })).toBeInTheDocument();
});

test('shows private pictures as object URLs and revokes them', async () => {
  const revoke = jest.spyOn(URL, 'revokeObjectURL');
  const { unmount, calls } = await openChat({
    path: '/index?c=c1',
    records: [
      record('r1', {
        isImage: true,
        url: '/api/files/f1',
        imgUrls: ['/api/files/f1', 'https://evil.example/x.png'],
      }),
    ],
    answers: { 'GET /api/files/f1': () => new Blob(['x']) },
  });
  const picture = document.querySelector('article button img');
  expect(picture).toHaveAttribute('src', expect.stringMatching(/^blob:/));
  expect(calls.some(({ url }) => url.includes('evil'))).toBe(false);
  unmount();
  expect(revoke).toHaveBeenCalledWith(picture!.getAttribute('src')!);
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

test('does not send the unsent questions of the previous owner after a sign-out', async () => {
  const { answers, connect } = disconnected();
  const { owner$, services, calls, user } = await openChat({ username: 'lin', token: 't1', answers });
  await user.type(field(), '退款{Enter}');
  await settle();
  calls.length = 0;
  act(() => {
    services.token$.next('');
    owner$.next('guest');
  });
  await settle();
  await connect();
  expect(asked(calls)).toEqual([]);
});

test('Ctrl + P prints the whole conversation with all its pages', async () => {
  const print = jest.spyOn(window, 'print').mockImplementation(() => undefined);
  const records = Array.from({ length: 130 }, (_, index) => record(`r${index}`));
  let openGate: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  await openChat({
    path: '/index?c=c1',
    answers: {
      'GET /api/conversations/c1/records': async ({ params }) => {
        if (params.cursor) await gate;
        return pageOf('records', records, params);
      },
    },
  });
  expect(articles()).toHaveLength(40);
  expect(screen.getByText(/更早的对话没有打印/)).toBeInTheDocument();
  const isLeftToBrowser = fireEvent.keyDown(document.body, { key: 'p', ctrlKey: true });
  expect(isLeftToBrowser).toBe(false);
  await settle();
  expect(print).not.toHaveBeenCalled();
  openGate();
  await eventually(() => expect(print).toHaveBeenCalledTimes(1));
  expect(document.querySelectorAll('article')).toHaveLength(260);
  expect(screen.queryByText(/更早的对话没有打印/)).toBeNull();

  expect(fireEvent.keyDown(document.body, { key: 'p', ctrlKey: true })).toBe(true);
  expect(print).toHaveBeenCalledTimes(1);
});

test('reports a missing conversation', async () => {
  const { user, address } = await openChat({
    path: '/index?c=gone',
    answers: {
      'GET /api/conversations/gone/records': () => {
        throw failure(404, 'not_found', '没有找到');
      },
    },
  });
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent('没有找到这个会话');
  await user.click(within(alert).getByRole('button', { name: '新咨询' }));
  await settle();
  expect(address()).toBe('/index');
  expect(screen.getByText('请输入以咨询问题')).toBeInTheDocument();
});

test('shows English texts when the language is English', async () => {
  await openChat({ language: 'en' });
  expect(screen.getByPlaceholderText('Your question')).toBeInTheDocument();
  expect(screen.getByText('Type a question to begin')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Send' })).toBeInTheDocument();
});

test('leaves no listeners, subscriptions or connections after unmounting', async () => {
  const setting = { path: '/index?c=c1', conversations: [conversation('c1')], records: [record('r1')] };
  // The first mount creates what stays, such as the listeners of user-event.
  (await openChat(setting)).unmount();
  const left = [window, document].map(countListeners);
  // The code that handles dropped files is loaded, too.
  await import('./files/files-part.ts');

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
  // This would end a wait for the lost connection.
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

async function eventually(check: () => void): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      return check();
    } catch (reason) {
      if (tries > 100) throw reason;
      await settle();
    }
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
