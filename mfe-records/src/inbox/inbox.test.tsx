import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { openInbox } from '../testing/open-inbox.tsx';
import { sampleHandover } from '../testing/sample-handovers.ts';

afterEach(() => void jest.useRealTimers());

const list = () => screen.findByRole('region', { name: '人工咨询列表' });
const rows = async () => within(await list()).findAllByRole('listitem');
const request = () => screen.findByRole('article', { name: '咨询详情' });
const button = (name: string) => screen.findByRole('button', { name });
const reply = () => screen.findByRole('textbox', { name: '答复' });

test('lists open requests with state, latest message and waiting time', async () => {
  openInbox();
  const texts = (await rows()).map(({ textContent }) => textContent);
  expect(texts).toEqual([
    '发票抬头开错了，能重开吗？等待接手已等 20 分钟',
    '对公转账的退款多久到账？A1024我在处理已等 5 分钟',
    '改派到前台收费吗？李工 在处理已等 20 分钟',
    expect.stringMatching(/^定制商品能不能退款？刻字的不能退，质量问题除外。我已回复.+ 回复$/),
  ]);
  expect(screen.getByText('未结束 4 个')).toBeVisible();
});

test('closed requests are listed apart, at an address of their own', async () => {
  const { user, address } = openInbox();
  await rows();
  await user.click(screen.getByRole('radio', { name: '已结束' }));
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect((await rows())[0]).toHaveTextContent('怎样合并发票？');
  expect(address()).toBe('/inbox?s=closed');
});

test('loads further pages', async () => {
  const handovers = Array.from({ length: 33 }, (_, n) =>
    sampleHandover({ id: `h-${n}`, question: `问题 ${n}` }),
  );
  const { user } = openInbox({ handovers });
  expect(await rows()).toHaveLength(30);
  await user.click(await button('载入更多'));
  await waitFor(async () => expect(await rows()).toHaveLength(33));
});

test('an inbox without requests says so', async () => {
  openInbox({ handovers: [] });
  expect(await screen.findByRole('heading', { name: '没有等待的咨询' })).toBeVisible();
});

test('a visitor who is no editor gets an explanation, and no further request is sent', async () => {
  const { calls } = openInbox({ isEditor: false });
  expect(await screen.findByRole('heading', { name: '人工咨询由客服答复' })).toBeVisible();
  expect(calls.map(({ url }) => url)).toEqual(['/api/inbox/summary']);
});

test('shows the reason why the inbox cannot be loaded, and tries again', async () => {
  let isDown = true;
  const { user } = openInbox({
    first: ({ url }) => {
      if (isDown && url === '/api/inbox') throw failure(503, 'unavailable', '服务器忙，请稍后再试');
    },
  });
  expect(await screen.findByText('服务器忙，请稍后再试')).toBeVisible();
  isDown = false;
  await user.click(await button('重试'));
  expect(await rows()).toHaveLength(4);
});

test('the request in the address is open, with contact details and what was asked before', async () => {
  const { user } = openInbox({ path: '/inbox?h=h-1' });
  const shown = within(await request());
  expect(await shown.findByRole('heading', { name: '发票抬头开错了，能重开吗？' })).toBeVisible();
  expect(shown.getByRole('link', { name: '13800138000' })).toHaveAttribute('href', 'tel:13800138000');
  expect(shown.getByText('订单详情')).not.toBeVisible();
  await user.click(shown.getByText('发票抬头怎么改？', { selector: '.clip' }));
  expect(shown.getByText('订单详情').tagName).toBe('STRONG');
});

test('a request that was deleted leads back to the list', async () => {
  const { user, address } = openInbox({ path: '/inbox?h=gone' });
  expect(await screen.findByRole('heading', { name: '这个咨询不在了' })).toBeVisible();
  await user.click(screen.getAllByRole('link', { name: '返回列表' }).at(-1)!);
  expect(address()).toBe('/inbox');
});

test('takes a request, answers it and closes it', async () => {
  const { user, toasts, callsTo } = openInbox();
  await user.click(await screen.findByRole('link', { name: '发票抬头开错了，能重开吗？' }));
  await user.click(await button('接手'));
  expect(await within(await request()).findByText('我在处理')).toBeVisible();
  expect(await reply()).toHaveFocus();

  await user.keyboard('可以重开。{Shift>}{Enter}{/Shift}请寄回原票。{Enter}');
  const thread = within(screen.getByRole('log', { name: '往来消息' }));
  expect(await thread.findByText(/可以重开。\s请寄回原票。/)).toBeVisible();
  expect(await reply()).toHaveValue('');
  expect(await reply()).toHaveFocus();
  expect(callsTo('POST', '/api/inbox/h-1/messages')).toMatchObject([
    { body: { text: '可以重开。\n请寄回原票。', clientId: expect.stringMatching(/^[0-9a-f]{32}$/) } },
  ]);

  await user.click(await button('结束'));
  expect(await within(await request()).findByText('已结束')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: '答复' })).toBeNull();
  expect(screen.getByRole('heading', { name: '发票抬头开错了，能重开吗？' })).toHaveFocus();
  expect(toasts.map(({ text }) => text)).toEqual(['已接手', '已结束']);
  expect(await rows()).toHaveLength(3);
});

test('says who was faster at taking a request, and shows it as theirs', async () => {
  const { user, server } = openInbox({ path: '/inbox?h=h-1' });
  const take = await button('接手');
  const [first] = server.handovers;
  const handover = { ...first!.handover, state: 'assigned' as const, agent: '李工' };
  server.handovers = [{ ...first!, handover, agent: '李工' }, ...server.handovers.slice(1)];
  await user.click(take);
  expect(await screen.findByText('李工 已经接手了这次咨询')).toBeVisible();
  expect(await within(await request()).findByText('李工 在处理')).toBeVisible();
  expect(screen.queryByRole('button', { name: '接手' })).toBeNull();

  await user.click(await button('退回'));
  expect(await button('接手')).toBeVisible();
});

test('an older state of the request that arrives after taking it is ignored', async () => {
  const late = Promise.withResolvers<unknown>();
  let isHeld = false;
  const { user, server, callsTo } = openInbox({
    path: '/inbox?h=h-1',
    first: ({ method, url }) =>
      isHeld && method === 'GET' && url === '/api/inbox/h-1' ? late.promise : undefined,
  });
  const take = await button('接手');
  const [before] = server.handovers;
  isHeld = true;
  act(() => void window.dispatchEvent(new Event('focus')));
  await waitFor(() => expect(callsTo('GET', '/api/inbox/h-1')).toHaveLength(2));
  isHeld = false;
  await user.click(take);
  expect(await within(await request()).findByText('我在处理')).toBeVisible();

  await act(async () => late.resolve(before));

  expect(within(await request()).getByText('我在处理')).toBeVisible();
});

test('a reply that could not be sent stays, also after a reload, and is repeated with the same id', async () => {
  const kept = new Map<string, string>();
  const first = openInbox({
    kept,
    path: '/inbox?h=h-2',
    first: ({ method }) => {
      if (method === 'POST') throw failure(0, 'offline', '连不上服务器');
    },
  });
  await first.user.type(await reply(), '三个工作日。');
  expect(first.isHeld$.value).toBe(true);
  await first.user.click(await button('发送'));
  expect(await screen.findByText('没有发出：连不上服务器。内容还在这里。')).toBeVisible();
  expect(await reply()).toHaveValue('三个工作日。');
  const [failed] = first.callsTo('POST', '/api/inbox/h-2/messages');
  first.unmount();

  const second = openInbox({ kept, path: '/inbox?h=h-2' });
  expect(await reply()).toHaveValue('三个工作日。');
  await second.user.click(await button('发送'));
  await waitFor(async () => expect(await reply()).toHaveValue(''));
  expect(await reply()).toHaveFocus();
  expect(second.callsTo('POST', '/api/inbox/h-2/messages')[0]?.body).toEqual(failed?.body);
  expect([...kept.keys()].filter((key) => key.includes('inbox/reply'))).toEqual([]);
  expect(second.isHeld$.value).toBe(false);
});

test('a refused reply keeps its text, says why and shows who has the request', async () => {
  const { user, server } = openInbox({ path: '/inbox?h=h-1' });
  await user.type(await reply(), '可以重开。');
  const [first, ...others] = server.handovers;
  const taken = { ...first!.handover, state: 'assigned' as const, agent: '李工' };
  server.handovers = [{ ...first!, handover: taken, agent: '李工' }, ...others];

  await user.click(await button('发送'));

  expect(await within(await request()).findByText('李工 在处理')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('没有发出：李工 已经接手了这次咨询。内容还在这里。');
  expect(await reply()).toHaveValue('可以重开。');
});

test('a reply that is sent again after a change is a new message', async () => {
  let isDown = true;
  const { user, callsTo } = openInbox({
    path: '/inbox?h=h-2',
    first: ({ method }) => {
      if (isDown && method === 'POST') throw failure(0, 'offline', '连不上服务器');
    },
  });
  await user.type(await reply(), '三天。');
  await user.click(await button('发送'));
  expect(await screen.findByRole('alert')).toBeVisible();
  isDown = false;
  await user.type(await reply(), '工作日。');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(await button('发送'));

  await waitFor(async () => expect(await reply()).toHaveValue(''));
  const [refused, sent] = callsTo('POST', '/api/inbox/h-2/messages').map(({ body }) => body);
  expect(sent).toMatchObject({ text: '三天。工作日。' });
  expect((sent as { clientId: string }).clientId).not.toBe((refused as { clientId: string }).clientId);
});

test('a reply of the maximum length can be sent, a longer one cannot', async () => {
  const { user, callsTo } = openInbox({ path: '/inbox?h=h-2' });
  await user.click(await reply());
  await user.paste('长'.repeat(8001));
  expect(screen.getByRole('alert')).toHaveTextContent('最多 8000 个字，现在 8001 个');
  await user.click(await button('发送'));
  expect(callsTo('POST', '/api/inbox/h-2/messages')).toHaveLength(0);

  await user.type(await reply(), '{Backspace}');
  await user.click(await button('发送'));
  await waitFor(async () => expect(await reply()).toHaveValue(''));
});

test('each request has its own pane: what arrives late for one does not replace another', async () => {
  const late = Promise.withResolvers<void>();
  const never = new Promise(() => undefined);
  let isReadAgain = false;
  const opened = openInbox({
    path: '/inbox?h=h-1',
    first: (call) => {
      if (call.url === '/api/inbox/h-2' && isReadAgain) return never;
      return call.url === '/api/inbox/h-1/take'
        ? late.promise.then(() => opened.server.answer(call))
        : undefined;
    },
  });
  const { user } = opened;
  await user.type(await reply(), '写给第一位');
  await user.click(await button('接手'));
  await user.click(screen.getByRole('link', { name: '对公转账的退款多久到账？' }));
  const shown = within(await request());
  expect(await shown.findByText('A1024')).toBeVisible();
  expect(await reply()).toHaveValue('');
  // Loading again must not hide what the pane shows after the late response.
  isReadAgain = true;

  await act(async () => late.resolve());

  await waitFor(async () => expect((await rows())[0]).toHaveTextContent('我在处理'));
  expect(shown.getByRole('heading', { name: '对公转账的退款多久到账？' })).toBeVisible();
  expect(shown.queryByRole('heading', { name: '发票抬头开错了，能重开吗？' })).toBeNull();
  await user.click(screen.getByRole('link', { name: '发票抬头开错了，能重开吗？' }));
  expect(await within(await request()).findByText('我在处理')).toBeVisible();
  expect(await reply()).toHaveValue('写给第一位');
});

test('each request has its own draft and its own failure, also if both are loaded', async () => {
  openInbox({
    path: '/inbox?h=h-2',
    first: ({ method }) => {
      if (method === 'POST') throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  const open = async (question: string) => {
    act(() => screen.getByRole('link', { name: question }).click());
    await within(await request()).findByRole('heading', { name: question });
  };
  fireEvent.change(await reply(), { target: { value: '三天' } });
  fireEvent.click(await button('结束'));
  expect(await screen.findByRole('alert')).toBeVisible();

  await open('发票抬头开错了，能重开吗？');
  fireEvent.change(await reply(), { target: { value: '可以' } });
  await open('对公转账的退款多久到账？');
  expect(await reply()).toHaveValue('三天');
  expect(screen.queryByRole('alert')).toBeNull();
  await open('发票抬头开错了，能重开吗？');
  expect(await reply()).toHaveValue('可以');
});

test('while a request is loading, that of another is not shown', async () => {
  const late = Promise.withResolvers<void>();
  const opened = openInbox({
    path: '/inbox?h=h-1',
    first: (call) =>
      call.url === '/api/inbox/h-2' ? late.promise.then(() => opened.server.answer(call)) : undefined,
  });
  const { user } = opened;
  await within(await request()).findByRole('heading', { name: '发票抬头开错了，能重开吗？' });
  await user.click(screen.getByRole('link', { name: '对公转账的退款多久到账？' }));

  const shown = within(await request());
  expect(shown.queryByRole('heading', { name: '发票抬头开错了，能重开吗？' })).toBeNull();
  expect(shown.getByRole('status')).toBeVisible();
  await act(async () => late.resolve());
  expect(await shown.findByRole('heading', { name: '对公转账的退款多久到账？' })).toBeVisible();
});

test('the reason of a rejected action disappears with the next action that succeeds', async () => {
  let isDown = true;
  const { user } = openInbox({
    path: '/inbox?h=h-1',
    first: ({ url }) => {
      if (isDown && url === '/api/inbox/h-1/take') throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  await user.click(await button('接手'));
  expect(await screen.findByRole('alert')).toHaveTextContent('服务暂时不可用');
  isDown = false;
  await user.click(await button('接手'));
  expect(await within(await request()).findByText('我在处理')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('closing the pane returns the focus to the row of the request', async () => {
  const { user, address } = openInbox();
  await user.click(await screen.findByRole('link', { name: '对公转账的退款多久到账？' }));
  await within(await request()).findByText('A1024');
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard('{Escape}');

  expect(address()).toBe('/inbox');
  expect(screen.getByRole('link', { name: '对公转账的退款多久到账？' })).toHaveFocus();
});

test('open requests are not shown as closed ones while those are loading', async () => {
  const late = Promise.withResolvers<void>();
  const opened = openInbox({
    first: (call) =>
      call.params.state === 'closed' ? late.promise.then(() => opened.server.answer(call)) : undefined,
  });
  await rows();
  await opened.user.click(screen.getByRole('radio', { name: '已结束' }));
  expect(within(await list()).queryAllByRole('listitem')).toEqual([]);
  expect(screen.queryByRole('heading', { name: /没有/ })).toBeNull();
  await act(async () => late.resolve());
  expect(await rows()).toHaveLength(1);
});

test('leaving the inbox ends its event stream', async () => {
  const { unmount, callsTo } = openInbox();
  await rows();
  unmount();
  expect(callsTo('GET', '/api/inbox/events')[0]?.signal?.aborted).toBe(true);
});

test('a draft is not lost when somebody else takes the request or the visitor closes it', async () => {
  const { user, server } = openInbox({ path: '/inbox?h=h-1' });
  await user.type(await reply(), '写了一半');
  const [first, ...others] = server.handovers;
  const taken = { ...first!.handover, state: 'assigned' as const, agent: '李工' };
  act(() => {
    server.handovers = [{ ...first!, handover: taken, agent: '李工' }, ...others];
    server.report();
  });
  expect(await screen.findByText('李工 在处理，这段话还没有发出')).toBeVisible();
  expect(await reply()).toHaveValue('写了一半');
  expect(screen.queryByRole('button', { name: '发送' })).toBeNull();
  await user.click(await button('放弃这段话'));
  expect(screen.queryByRole('textbox', { name: '答复' })).toBeNull();
});

test('a request in the words of its replies becomes a curated answer', async () => {
  const { user, callsTo } = openInbox({
    path: '/inbox?h=h-4',
    first: ({ url }) =>
      url === '/api/knowledge/check'
        ? { checked: 3, isPartial: false, changed: [], golden: [], goldenChecked: 0 }
        : undefined,
  });
  await user.click(await button('存为问答'));
  const dialog = within(await screen.findByRole('dialog', { name: '存为问答' }));
  expect(dialog.getByRole('textbox', { name: '问题' })).toHaveValue('定制商品能不能退款？');
  expect(dialog.getByRole('textbox', { name: '答案' })).toHaveValue('刻字的不能退，质量问题除外。');
  await user.click(dialog.getByRole('button', { name: '保存' }));
  expect(await screen.findByRole('link', { name: '已存为问答，去查看' })).toHaveAttribute(
    'href',
    '/knowledge?v=pairs',
  );
  expect(callsTo('POST', '/api/inbox/h-4/pair')).toMatchObject([
    { body: { question: '定制商品能不能退款？', answer: '刻字的不能退，质量问题除外。' } },
  ]);
});

test('an agent who is no editor is not offered to make a curated answer', async () => {
  const { server } = openInbox({ path: '/inbox?h=h-4' });
  expect(await button('存为问答')).toBeVisible();
  server.handovers = server.handovers.map((one) => ({ ...one, mayAddPair: false }));
  act(() => server.report());
  await waitFor(() => expect(screen.queryByRole('button', { name: '存为问答' })).toBeNull());
});

test('a new message scrolls into view, unless earlier ones are being read', async () => {
  const { server } = openInbox({ path: '/inbox?h=h-1' });
  const thread = await screen.findByRole('log', { name: '往来消息' });
  const area = thread.parentElement!;
  Object.defineProperties(area, { scrollHeight: { value: 1000 }, clientHeight: { value: 300 } });
  const scrollTo = (top: number) => fireEvent.scroll(area, { target: { scrollTop: top } });
  const write = async (text: string) => {
    const [first, ...others] = server.handovers;
    const { handover } = first!;
    const message = { id: text, from: 'visitor' as const, name: '', text, createdAt: handover.createdAt };
    const next = { ...first!, handover: { ...handover, messages: [...handover.messages, message] } };
    act(() => {
      server.handovers = [next, ...others];
      server.report();
    });
    expect(await within(thread).findByText(text)).toBeVisible();
  };
  scrollTo(100);
  await write('还在吗？');
  expect(area.scrollTop).toBe(100);
  scrollTo(660);
  await write('好的。');
  expect(area.scrollTop).toBe(1000);
});

test('new requests appear and are announced', async () => {
  const { server } = openInbox();
  expect(await rows()).toHaveLength(4);
  act(() => {
    server.handovers = [...server.handovers, sampleHandover({ id: 'h-9', question: '有人吗？' })];
    server.report();
  });
  expect(await screen.findByRole('link', { name: '有人吗？' })).toBeVisible();
  expect(screen.getByText('有新的人工咨询，未结束 5 个').closest('[role=status]')).not.toBeNull();
  // A closed request is not announced.
  act(() => {
    server.handovers = server.handovers.slice(1);
    server.report();
  });
  await waitFor(() => expect(screen.queryByText(/有新的人工咨询/)).toBeNull());
});

test('a lost connection is shown until it is restored', async () => {
  const { server } = openInbox();
  await rows();
  act(() => server.drop());
  expect(await screen.findByText(/实时连接断开了/)).toBeVisible();
  await waitFor(() => expect(screen.queryByText(/实时连接断开了/)).toBeNull());
});
