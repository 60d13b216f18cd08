import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { Handover } from 'api/contract/handover';
import { type Answer, failure } from 'host/stand-ins';
import { createEventSource, type EventSourceEnd } from '../testing/event-source.ts';
import { field, openChat, type Setting, settle } from '../testing/open-chat.tsx';
import { conversation, handover, record } from '../testing/samples.ts';

const later = (second: number) => `2026-11-21T03:00:0${second}.000Z`;
const reply = (id: string, text: string) => ({
  id,
  from: 'agent' as const,
  name: '王敏',
  text,
  createdAt: later(1),
});
const answered = (fields: Partial<Handover> = {}) =>
  handover('h1', {
    state: 'answered',
    agent: '王敏',
    messages: [reply('m1', '签收后\n7 天内可以退')],
    updatedAt: later(1),
    ...fields,
  });

/** The chat over a server with these handovers in c1, whose event streams the test controls. */
async function openDesk({ answers = {}, ...setting }: Setting = {}, stored: Handover[] = []) {
  const events: EventSourceEnd[] = [];
  const own: Record<string, Answer> = {
    'GET /api/conversations/c1/handovers': () => ({ handovers: stored }),
    'GET /api/handovers/expectation': () => ({ medianMinutes: 25 }),
    'GET /api/handovers/events': () => {
      const end = createEventSource();
      events.push(end);
      end.comment();
      return end.stream;
    },
    ...answers,
  };
  // Reading a visible conversation marks its replies as read.
  for (const [call, answer] of Object.entries(own))
    if (/^GET .*\/conversations\/.*\/handovers$/.test(call))
      own[`${call.replace('GET', 'POST')}/seen`] ??= answer;
  const desk = await openChat({
    path: '/index?c=c1',
    conversations: [conversation('c1'), conversation('c2')],
    records: [record('r1', { question: '定制商品能退吗', source: 'none', answer: '没有足够的依据' })],
    ...setting,
    answers: own,
  });
  const send = async (one: Handover) => {
    events.at(-1)!.sendOther('handover', one);
    await settle();
  };
  const posted = (path: string) => desk.calls.filter(({ method, url }) => method === 'POST' && url === path);
  return { ...desk, events, send, posted };
}

const dialog = () => screen.getByRole('dialog', { name: '转人工' });
const question = () => within(dialog()).getByRole('textbox', { name: '您的问题' });
const thread = () => screen.getByRole('article', { name: '人工会话' });
const replyField = (name = '王敏') => screen.getByRole('textbox', { name: `写给${name}的话` });
const to = (name: string) => screen.getByRole('radio', { name });
const row = (title: RegExp) => screen.getByRole('link', { name: title });
const announced = () => screen.getAllByRole('status').map(({ textContent }) => textContent);

async function press(
  user: Awaited<ReturnType<typeof openChat>>['user'],
  name: string,
  within_?: HTMLElement,
) {
  await user.click((within_ ? within(within_) : screen).getByRole('button', { name }));
  await settle();
}

test('below an answer that found nothing, asks a person with its question and record, and shows the thread', async () => {
  const asked = handover('h1', { question: '定制商品能退吗', contactDetails: '13800138000' });
  const { user, posted, calls, events } = await openDesk({ answers: { 'POST /api/handovers': () => asked } });
  expect(calls.some(({ url }) => url.endsWith('/events'))).toBe(false);

  const answer = screen.getByRole('article', { name: '咨询台的回答' });
  await press(user, '转人工', answer);
  expect(question()).toHaveValue('定制商品能退吗');
  expect(dialog()).toHaveTextContent('通常在 25 分钟内回复');
  await user.type(screen.getByRole('textbox', { name: '联系方式（可不填）' }), '13800138000');
  await press(user, '提交给人工');

  expect(posted('/api/handovers')).toMatchObject([
    {
      body: {
        conversationId: 'c1',
        recordId: 'r1',
        question: '定制商品能退吗',
        contactDetails: '13800138000',
        clientId: expect.any(String),
      },
    },
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(thread()).toHaveTextContent('等待同事接手');
  expect(thread()).toHaveTextContent('联系方式：13800138000');
  expect(announced()).toContain('已转人工，回复会出现在这个会话里');
  expect(events).toHaveLength(1);
  // The button now leads to the thread.
  await press(user, '查看人工会话', answer);
  expect(replyField('同事')).toHaveFocus();
});

test('a failure keeps what was typed, also after the form was closed, and sends the same id again', async () => {
  let isDown = true;
  const { user, posted } = await openDesk({
    answers: {
      'POST /api/handovers': ({ body }) => {
        if (isDown) throw failure(0, 'offline', '网络已断开');
        return handover('h1', body as Partial<Handover>);
      },
    },
  });
  const header = () => screen.getAllByRole('button', { name: '转人工' })[0]!;
  await user.click(header());
  await settle();
  await user.clear(question());
  await user.type(question(), '能不能换货');
  await press(user, '提交给人工');
  expect(within(dialog()).getByRole('alert')).toHaveTextContent('网络已断开');
  expect(question()).toHaveValue('能不能换货');

  await press(user, '取消');
  await user.click(header());
  await settle();
  expect(question()).toHaveValue('能不能换货');
  isDown = false;
  await press(user, '提交给人工');
  const [first, second] = posted('/api/handovers').map(({ body }) => body as { clientId: string });
  expect(second).toEqual(first);
  expect(thread()).toHaveTextContent('能不能换货');
});

test('requires a question, and shows limits at the fields', async () => {
  const { user, posted } = await openDesk();
  await user.click(screen.getAllByRole('button', { name: '转人工' })[0]!);
  await settle();
  await user.clear(question());
  await press(user, '提交给人工');
  expect(within(dialog()).getByRole('alert')).toHaveTextContent('请写下您的问题');
  expect(question()).toHaveFocus();
  await user.type(question(), 'x');
  const details = screen.getByRole('textbox', { name: '联系方式（可不填）' });
  await user.click(details);
  await user.paste('x'.repeat(201));
  await press(user, '提交给人工');
  expect(within(dialog()).getByRole('alert')).toHaveTextContent('最多 200 字，现在 201 字');
  expect(details).toHaveFocus();
  expect(posted('/api/handovers')).toEqual([]);
});

test('without a conversation, asks with the draft of the composer and opens the new conversation', async () => {
  const asked = handover('h1', { question: '我要找人' });
  const { user, posted, address } = await openDesk(
    {
      path: '/index',
      answers: {
        'POST /api/handovers': () => asked,
        'GET /api/handovers/expectation': () => ({ medianMinutes: null }),
      },
    },
    [asked],
  );
  await user.type(field(), '我要找人');
  await press(user, '转人工');
  expect(question()).toHaveValue('我要找人');
  expect(dialog()).toHaveTextContent('我们会尽快回复');
  await press(user, '提交给人工');
  expect(posted('/api/handovers')[0]!.body).not.toHaveProperty('conversationId');
  expect(address()).toBe('/index?c=c1');
  expect(field()).toHaveValue('');
  expect(thread()).toHaveTextContent('我要找人');
  await press(user, '新咨询');
  expect(field()).toHaveValue('');
});

test('a second request returns the open handover: what was typed moves to its reply field', async () => {
  const open = handover('h1', { question: '第一次问的' });
  const { user, toasts } = await openDesk({ answers: { 'POST /api/handovers': () => open } });
  await user.click(screen.getAllByRole('button', { name: '转人工' })[0]!);
  await settle();
  await user.clear(question());
  await user.type(question(), '第二次问的');
  await press(user, '提交给人工');
  expect(thread()).toHaveTextContent('第一次问的');
  expect(replyField('同事')).toHaveValue('第二次问的');
  expect(toasts.at(-1)).toMatchObject({ kind: 'info', text: '这个会话已经转人工，您写的内容在输入框里' });
});

test('a reply arrives at once, is announced and marked as read', async () => {
  const { send, calls } = await openDesk({}, [handover('h1')]);
  await send(handover('h1'));
  const reads = () => calls.filter(({ url }) => url.startsWith('/api/conversations/c1/handovers')).length;
  const before = reads();
  await send(answered());
  expect(within(thread()).getByText(/签收后/).textContent).toBe('签收后\n7 天内可以退');
  expect(thread()).toHaveTextContent('王敏 已回复');
  expect(thread()).toHaveTextContent('人工');
  expect(announced()).toContain('王敏 回复：签收后\n7 天内可以退');
  expect(reads()).toBe(before + 1);
  expect(calls.findLast(({ url }) => url.startsWith('/api/conversations/c1/handovers'))).toMatchObject({
    method: 'POST',
    url: '/api/conversations/c1/handovers/seen',
  });
});

test('an older response does not replace a newer event', async () => {
  const { send } = await openDesk({}, [handover('h1')]);
  await send(answered());
  await send(handover('h1'));
  expect(thread()).toHaveTextContent('王敏 已回复');
});

test('a reply in another conversation shows a mark in the list, which disappears when it is opened', async () => {
  let other = handover('h2', { conversationId: 'c2' });
  let unread = {};
  const { user, send } = await openDesk({
    path: '/index?c=c2',
    answers: {
      'GET /api/conversations': () => ({
        conversations: [conversation('c1'), conversation('c2', unread)],
        nextCursor: null,
      }),
      'GET /api/conversations/c2/handovers': () => ({ handovers: [other] }),
    },
  });
  await user.click(row(/title c1/));
  await settle();
  unread = { unreadReply: true };
  other = answered({ id: 'h2', conversationId: 'c2' });
  await send(other);
  expect(row(/title c2/)).toHaveAccessibleName(/新回复/);
  expect(row(/title c1/)).not.toHaveAccessibleName(/新回复/);
  expect(announced()).toContain('另一个会话有人工回复');

  await user.click(row(/title c2/));
  await settle();
  expect(row(/title c2/)).not.toHaveAccessibleName(/新回复/);
  expect(thread()).toHaveTextContent('7 天内可以退');
});

test('writes further messages with Enter; a failed one stays in the field', async () => {
  let isDown = true;
  const { user, posted, kept } = await openDesk(
    {
      answers: {
        'POST /api/handovers/h1/messages': ({ body }) => {
          if (isDown) throw failure(503, 'unavailable', '服务暂时不可用');
          const { text } = body as { text: string };
          const message = { id: 'm2', from: 'visitor' as const, name: '', text, createdAt: later(2) };
          return answered({
            state: 'assigned',
            updatedAt: later(2),
            messages: [reply('m1', '好的'), message],
          });
        },
      },
    },
    [answered()],
  );
  await user.type(replyField(), '那邮费呢{Enter}');
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent('服务暂时不可用');
  expect(replyField()).toHaveValue('那邮费呢');
  expect([...kept].join()).toContain('那邮费呢');
  isDown = false;
  await press(user, '发送');
  expect(replyField()).toHaveValue('');
  expect(thread()).toHaveTextContent('那邮费呢');
  expect(thread()).toHaveTextContent('王敏 正在处理');
  const [first, second] = posted('/api/handovers/h1/messages').map(({ body }) => body);
  expect(second).toEqual(first);
});

test('typing hides why the message could not be sent', async () => {
  const down = () => {
    throw failure(503, 'unavailable', '服务暂时不可用');
  };
  const { user } = await openDesk({ answers: { 'POST /api/handovers/h1/messages': down } }, [answered()]);
  await user.type(replyField(), '那邮费呢{Enter}');
  await settle();
  expect(screen.getByRole('alert')).toBeVisible();

  await user.type(replyField(), '？');

  expect(screen.queryByRole('alert')).toBeNull();
});

test('a message is sent once, and its late failure is not shown in another conversation', async () => {
  const held = Promise.withResolvers<never>();
  const other = answered({ id: 'h2', conversationId: 'c2', agent: '李工' });
  const { user, posted } = await openDesk(
    {
      answers: {
        'POST /api/handovers/h1/messages': () => held.promise,
        'GET /api/conversations/c2/handovers': () => ({ handovers: [other] }),
      },
    },
    [answered()],
  );
  await user.type(replyField(), '那邮费呢{Enter}{Enter}，还有');
  expect(posted('/api/handovers/h1/messages')).toHaveLength(1);
  expect(replyField()).toHaveValue('那邮费呢');
  await user.click(row(/title c2/));
  await settle();
  expect(replyField('李工')).toHaveValue('');
  held.reject(failure(503, 'unavailable', '服务暂时不可用'));
  await settle();
  expect(screen.queryByText(/服务暂时不可用/)).toBeNull();
  await user.click(row(/title c1/));
  await settle();
  expect(replyField()).toHaveValue('那邮费呢');
});

test('the text field writes to the desk while the request waits, then to the person who has taken it', async () => {
  const { user, send, posted } = await openDesk(
    { answers: { 'POST /api/handovers/h1/messages': () => answered({ updatedAt: later(4) }) } },
    [handover('h1')],
  );
  expect(screen.getAllByRole('textbox', { name: /^(问题|写给)/ })).toHaveLength(1);
  expect(to('咨询台')).toBeChecked();
  expect(to('同事')).not.toBeChecked();

  await send(answered({ state: 'assigned', messages: [] }));
  expect(to('王敏')).toBeChecked();
  expect(announced()).toContain('现在发给王敏');
  expect(screen.queryByRole('button', { name: '添加文件' })).toBeNull();
  await user.type(replyField(), '好的{Enter}');
  await settle();
  expect(posted('/api/handovers/h1/messages')).toMatchObject([{ body: { text: '好的' } }]);
  expect(posted('/api/chat')).toEqual([]);
  expect(replyField()).toHaveFocus();
});

test('each recipient has its own draft, is chosen by arrow keys, and stays chosen', async () => {
  const kept = new Map<string, string>();
  const first = await openDesk({ kept }, [answered()]);
  await first.user.type(replyField(), '给同事的');
  to('王敏').focus();
  await first.user.keyboard('{ArrowLeft}');
  expect(to('咨询台')).toBeChecked();
  expect(field()).toHaveValue('');
  await first.user.type(field(), '问咨询台的{Enter}');
  await settle();
  expect(first.posted('/api/chat')).toMatchObject([{ body: { text: '问咨询台的' } }]);
  expect(first.posted('/api/handovers/h1/messages')).toEqual([]);
  first.unmount();

  const second = await openDesk({ kept }, [answered()]);
  expect(to('咨询台')).toBeChecked();
  await second.user.click(to('王敏'));
  expect(replyField()).toHaveValue('给同事的');
});

test('text that is being typed to the desk is not redirected when a person replies', async () => {
  const { user, send } = await openDesk({}, [handover('h1')]);
  await user.type(field(), '打到一半');
  await send(answered());
  expect(to('咨询台')).toBeChecked();
  expect(field()).toHaveValue('打到一半');
});

test('closing ends the thread and its stream, keeps the focus in it, and allows to ask again', async () => {
  const { user, events } = await openDesk(
    { answers: { 'POST /api/handovers/h1/close': () => answered({ state: 'closed', updatedAt: later(3) }) } },
    [answered()],
  );
  expect(events).toHaveLength(1);
  await press(user, '结束人工会话');
  expect(thread()).toHaveTextContent('已结束');
  expect(thread()).toHaveTextContent('还有问题可以再次转人工。');
  expect(thread()).toHaveFocus();
  expect(within(thread()).queryByRole('textbox')).toBeNull();
  expect(events[0]!.isCancelled()).toBe(true);
  expect(screen.getAllByRole('button', { name: '转人工' })).toHaveLength(2);
});

test('a message that was not sent before the agent closed the thread can be sent with a new request', async () => {
  const { user, send } = await openDesk({}, [answered()]);
  await user.type(replyField(), '还有一句');
  await send(answered({ state: 'closed', updatedAt: later(3) }));
  expect(field()).toHaveFocus();
  expect(field()).toHaveValue('');
  expect(announced()).toContain('现在发给咨询台');
  expect(thread()).toHaveTextContent('还有一句');
  await press(user, '用这段话再次转人工');
  expect(question()).toHaveValue('还有一句');
});

test('the stream is opened again for another session, and not at all without an open handover', async () => {
  const kept = new Map<string, string>();
  const { services, events, unmount } = await openDesk({ kept }, [handover('h1')]);
  expect(events).toHaveLength(1);
  services.token$.next('next');
  await settle();
  expect(events).toHaveLength(2);
  expect(events[0]!.isCancelled()).toBe(true);
  unmount();
  expect(events[1]!.isCancelled()).toBe(true);

  // The next visit follows the request before its conversation is opened.
  const next = await openDesk({ kept, path: '/index' });
  expect(next.events).toHaveLength(1);
  next.unmount();
  const other = await openDesk({ path: '/index' });
  expect(other.events).toHaveLength(0);
});
