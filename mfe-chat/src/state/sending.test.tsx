import { expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { createEventSource } from '../testing/event-source.ts';
import { articles, field, openChat, sentQuestions, settle } from '../testing/open-chat.tsx';
import { conversation, DONE, RECORD, record } from '../testing/samples.ts';

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
  const [first, second] = sentQuestions(calls);
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
    expect(sentQuestions(second.calls)).toEqual([]);
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
  return { answers, connect, finish: () => source.send('done', { ...DONE, response: '' }, 0) };
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
  const sent = sentQuestions(calls);
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1);
  expect(screen.getByRole('log')).not.toHaveTextContent('没有发出');
  expect(articles()[1]).toHaveTextContent('正在查找');
  // All attempts but the last have failed.
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(sentQuestions(calls)).toHaveLength(sent.length);
});

test('sends an unsent question immediately on request, and makes it a draft when stopped', async () => {
  const { answers } = disconnected();
  const { user, calls, kept } = await openChat({ answers });
  await user.type(field(), '退款{Enter}');
  await settle();
  const before = sentQuestions(calls).length;
  await user.click(screen.getByRole('button', { name: '立即发送' }));
  await settle();
  expect(sentQuestions(calls).length).toBeGreaterThan(before);

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
  const { clientId } = sentQuestions(first.calls)[0]!;
  first.unmount();
  makeOlder(kept, 3_600_000);

  const second = await openChat({ kept, path, records: [record('r1')] });
  expect(sentQuestions(second.calls)).toEqual([{ text: '退款', clientId, conversationId: 'c1' }]);
  expect(field()).toHaveValue('');
  second.streams[0]!.send('record', { ...RECORD, recordId: 'r2' }, 0);
  await settle();
  second.unmount();

  const third = await openChat({ kept, path, records: [record('r1')] });
  expect(sentQuestions(third.calls)).toEqual([]);
});

test('while the server cannot be reached, shows the saved conversation, where a question waits; afterwards the server’s', async () => {
  const kept = new Map<string, string>();
  const path = '/index?c=c1';
  const online = await openChat({ kept, path, records: [record('r1', { question: '原来的问题' })] });
  expect(articles()[0]).toHaveTextContent('原来的问题');
  online.unmount();

  let isOffline = true;
  const { answers, connect, finish } = disconnected();
  const records = () => {
    if (isOffline) throw failure(0, 'offline', '连不上服务器');
    return { records: [record('r2', { question: '别处问的' })], nextCursor: null };
  };
  const { user, calls } = await openChat({
    kept,
    path,
    answers: { ...answers, 'GET /api/conversations/c1/records': records },
  });
  expect(articles()[0]).toHaveTextContent('原来的问题');
  expect(screen.getByText(/^离线 · 显示的是 .+ 时保存的内容$/)).toBeInTheDocument();
  await user.type(field(), '退款{Enter}');
  await settle();
  expect(articles().at(-1)).toHaveTextContent('没有发出');

  isOffline = false;
  await connect();
  finish();
  await settle();
  expect(new Set(sentQuestions(calls).map(({ clientId }) => clientId)).size).toBe(1);
  expect(articles()[0]).toHaveTextContent('别处问的');
  expect(screen.queryByText(/^离线 ·/)).toBeNull();
});

test('an unsent question becomes a draft after a day', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept, answers: disconnected().answers });
  await first.user.type(field(), '退款{Enter}');
  first.unmount();
  makeOlder(kept, 25 * 3_600_000);

  const second = await openChat({ kept });
  expect(sentQuestions(second.calls)).toEqual([]);
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
  const before = sentQuestions(calls).length;
  await connect();
  expect(sentQuestions(calls)).toHaveLength(before + 1);
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

test('sends a repeated question again that did not reach the server, and does not take the old answer for the new one', async () => {
  const retried = createEventSource();
  let tries = 0;
  const { user, calls, streams } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '旧的回答' })],
    answers: {
      'POST /api/chat': () => {
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
  const retries = calls.filter(({ url }) => url.startsWith('/api/chat'));
  expect(retries.map(({ url }) => url)).toEqual(Array(3).fill('/api/chat'));
  expect(retries[0]?.body).toMatchObject({ text: 'question r1', versionOf: 'r1', conversationId: 'c1' });
  expect(new Set(retries.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(streams).toEqual([]);
  retried.send('record', { ...RECORD, recordId: 'r2' }, 0);
  retried.send('done', { ...DONE, recordId: 'r2', response: '新的回答' }, 4);
  await settle();
  expect(articles()[1]).toHaveTextContent('新的回答');
});

test('stopping a repeated question that did not reach the server shows the old answer again', async () => {
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '旧的回答' })],
    answers: {
      'POST /api/chat': () => {
        throw failure(0, 'offline', '连不上服务器');
      },
    },
  });
  await user.click(screen.getByRole('button', { name: '重新回答' }));
  await settle();
  await user.click(screen.getByRole('button', { name: '停止' }));
  const retries = () => calls.filter(({ url }) => url === '/api/chat').length;
  const before = retries();
  expect(articles()[1]).toHaveTextContent('旧的回答');
  expect(screen.getByRole('button', { name: '重新回答' })).toBeVisible();
  window.dispatchEvent(new Event('online'));
  await settle();
  expect(retries()).toBe(before);
});

test('an answer that was stopped before the server confirmed the question is stopped after the confirmation', async () => {
  const { user, calls, streams } = await openChat();
  await user.type(field(), '退款{Enter}');
  await settle();
  await user.click(screen.getByRole('button', { name: '停止' }));
  const stops = () => calls.filter(({ url }) => url.endsWith('/stop')).map(({ url }) => url);
  expect(stops()).toEqual([]);
  streams[0]!.send('record', RECORD, 0);
  await settle();
  expect(stops()).toEqual(['/api/chat/r1/stop']);
});

test('sends a question again, with its id, that was unconfirmed when the page was closed', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept });
  await first.user.type(field(), '退款{Enter}');
  const { clientId } = sentQuestions(first.calls)[0]!;
  first.unmount();
  expect(first.calls.at(-1)!.signal!.aborted).toBe(true);

  const second = await openChat({ kept });
  expect(sentQuestions(second.calls)).toEqual([{ text: '退款', clientId }]);
  second.streams[0]!.send('record', RECORD, 0);
  await settle();
  second.unmount();

  const third = await openChat({ kept });
  expect(sentQuestions(third.calls)).toEqual([]);
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
  expect(sentQuestions(calls)).toEqual([]);
});
