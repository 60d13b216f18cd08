import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { Citation } from 'api/contract/answers';
import { failure } from 'host/stand-ins';
import { articles, field, openChat, sentQuestions, settle } from '../testing/open-chat.tsx';
import { conversation, DONE, pageOf, RECORD, record } from '../testing/samples.ts';

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

test('copies questions and answers', async () => {
  const { user, toasts } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { question: '多久退款？', answer: '三个**工作日**' })],
  });
  const [question, answer] = articles();
  await user.click(within(question!).getByRole('button', { name: '复制问题' }));
  expect(await navigator.clipboard.readText()).toBe('多久退款？');
  expect(toasts.at(-1)).toMatchObject({ kind: 'success', text: '已复制问题' });

  await user.click(within(answer!).getByRole('button', { name: '复制回答' }));
  expect(await navigator.clipboard.readText()).toBe('三个**工作日**');
  expect(toasts.at(-1)).toMatchObject({ kind: 'success', text: '已复制回答' });
});

test('reports that the browser does not allow copying', async () => {
  const { user, toasts } = await openChat({ path: '/index?c=c1', records: [record('r1')] });
  jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await user.click(screen.getByRole('button', { name: '复制问题' }));
  expect(toasts.at(-1)).toMatchObject({
    kind: 'warning',
    text: '浏览器不允许复制，请手动选中后复制',
  });
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
  expect(sentQuestions(calls)[0]).toMatchObject({ text: '怎样删除会话？', conversationId: 'c1' });
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

async function eventually(check: () => void): Promise<void> {
  for (let tries = 0; ; tries += 1)
    try {
      return check();
    } catch (reason) {
      if (tries > 100) throw reason;
      await settle();
    }
}
