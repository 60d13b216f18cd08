import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
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
  expect(articles()[1]).toHaveFocus();
  expect(calls).toContainEqual(expect.objectContaining({ method: 'POST', url: '/api/chat/r1/retry' }));
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
  const resumed = calls.find(({ url }) => url === '/api/chat/r1');
  expect(resumed).toMatchObject({ method: 'GET', headers: { 'Last-Event-ID': 3 } });
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
  await waitFor(() => expect(articles().at(-1)).toHaveTextContent('a'.repeat(200)));
  expect(renders).toBeLessThanOrEqual(6);
});

const SOURCE = '# 退款政策\n\n前文见 `a`。天数由 `GUEST_DAYS` 决定，**不可**延长。三个工作日内到账。';
const quoteOf = (quote: string): Citation => ({
  title: '退款政策',
  quote,
  start: SOURCE.indexOf(quote),
  end: SOURCE.indexOf(quote) + quote.length,
  href: '/api/passages/p1',
});
/** The answers for one document whose text is `SOURCE`. */
const sourceAnswers = {
  'GET /api/passages/p1': () => ({
    documentId: 'd1',
    title: '退款政策',
    text: SOURCE,
    start: 0,
    end: SOURCE.length,
    place: '第 3 节',
  }),
  'GET /api/documents/d1': () => ({ title: '退款政策', name: 'a.pdf', type: 'pdf', hasFile: true }),
  'GET /api/documents/d1/text': () => ({
    start: 0,
    end: SOURCE.length,
    text: SOURCE,
    length: SOURCE.length,
    places: [{ start: 0, page: 40 }],
  }),
};

test('a citation opens its document beside the conversation, with the quote highlighted and its page', async () => {
  const citations = [quoteOf('三个工作日内到账'), quoteOf('天数由 `GUEST_DAYS` 决定，**不可**延长')];
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '三个工作日[1]，不可延长[2]', citations })],
    answers: sourceAnswers,
  });
  await user.click(within(articles()[1]!).getByRole('button', { name: '引用 1：退款政策' }));
  const source = await screen.findByRole('complementary', { name: '退款政策' });
  expect((await within(source).findByText('三个工作日内到账')).closest('mark')).not.toBeNull();
  expect(within(source).getAllByText('第 40 页')).not.toHaveLength(0);
  expect(within(source).getByRole('heading', { level: 2 })).toHaveFocus();

  await user.click(within(source).getByRole('button', { name: '下一处引用' }));
  await settle();
  const mark = source.querySelector('mark');
  expect(mark).toHaveTextContent('天数由 GUEST_DAYS 决定，不可延长');
  expect(mark?.querySelector('code')).toHaveTextContent('GUEST_DAYS');
  expect(within(articles()[1]!).getByRole('button', { name: '引用 2：退款政策' })).toHaveAttribute(
    'aria-expanded',
    'true',
  );
});

test('a withdrawn citation shows its title, and cannot be opened', async () => {
  const gone = { ...quoteOf(''), title: '已撤回', isWithdrawn: true as const };
  await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '此回答已撤回[1]。', citations: [gone] })],
  });
  const answer = within(articles()[1]!);
  expect(within(answer.getByRole('group', { name: '引用' })).getByText('已撤回')).toBeVisible();
  expect(answer.queryByRole('button', { name: /已撤回/ })).toBeNull();
});

test('Escape closes a source, the focus returns to the citation, and Enter and Space open it again', async () => {
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '三个工作日[1]', citations: [quoteOf('三个工作日内到账')] })],
    answers: sourceAnswers,
  });
  const citation = within(articles()[1]!).getByRole('button', { name: '引用 1：退款政策' });
  // Browsers break lines next to boxes such as button elements, even next to U+2060.
  expect(citation.tagName).toBe('SPAN');
  citation.focus();
  for (const key of [' ', '{Enter}']) {
    await user.keyboard(key);
    expect(await screen.findByRole('complementary', { name: '退款政策' })).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: '退款政策' })).toBeNull();
    expect(citation).toHaveFocus();
  }
});

test('shows the quote even if its document was deleted', async () => {
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '三个工作日[1]', citations: [quoteOf('三个工作日内到账')] })],
  });
  await user.click(within(articles()[1]!).getByRole('button', { name: '引用 1：退款政策' }));
  const source = await screen.findByRole('complementary', { name: '退款政策' });
  expect(await within(source).findByText(/原文已不在知识库里/)).toBeVisible();
  expect(source.querySelector('mark')).toHaveTextContent('三个工作日内到账');
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
  expect(articles()[1]).toHaveTextContent('没有找到');
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

test('folds the parts that the answer left out, and groups the citations by document with their sections', async () => {
  const cited = (place: string, more: Partial<Citation> = {}): Citation => ({
    ...quoteOf('三个工作日内到账'),
    place,
    ...more,
  });
  const citations = [
    cited('退款 › 时限', { restOfSection: '节假日顺延。' }),
    cited('退款 › 手续费', { at: { sheet: '手续费', row: 14 }, restOfRow: '编号 R-1' }),
  ];
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { answer: '**三个工作日**[1]\n\n| 费用 |\n|---|\n| **5 元** [2] |', citations })],
  });
  const answer = articles()[1]!;
  const rest = within(answer).getByText('节假日顺延。');
  expect(rest).not.toBeVisible();
  await user.click(within(answer).getByText('本节其余内容'));
  expect(rest).toBeVisible();
  expect(within(answer).getByText('编号 R-1')).not.toBeVisible();
  const sources = within(answer).getByRole('group', { name: '引用' });
  expect(within(sources).getAllByText('退款政策')).toHaveLength(1);
  expect(within(sources).getByRole('button', { name: /手续费/ })).toHaveTextContent('2手续费 · 第 14 行');
});

test('marks statements without support, and does not show their citation and source', async () => {
  const answer = '三个工作日[1]。节日顺延[2]。';
  await openChat({
    path: '/index?c=c1',
    records: [
      record('r1', {
        source: 'model',
        answer,
        citations: ['退款 › 时限', '退款 › 手续费'].map((place) => ({ ...quoteOf('三个工作日'), place })),
        doubts: [
          { kind: 'sentence', start: 9, end: 13 },
          { kind: 'citation', start: 13, end: 16 },
        ],
      }),
    ],
  });
  const shown = articles()[1]!;
  expect(within(shown).getByText('未见依据')).toBeVisible();
  expect(shown).toHaveTextContent('节日顺延\u2060未见依据。');
  expect(within(shown).queryByRole('button', { name: /手续费/ })).toBeNull();
  expect(within(shown).getByRole('button', { name: /时限/ })).toBeVisible();
});

test('shows an answer that may only help as such, with its quotes and a button to ask a person', async () => {
  await openChat({
    path: '/index?c=c1',
    records: [
      record('r1', {
        source: 'none',
        outcome: 'related',
        unsupported: ['分期'],
        answer: '没有直接的答案，下面的内容可能有关：\n\n> 押金一次付清。[1]\n>\n> — 参展须知',
        citations: [quoteOf('押金一次付清。')],
      }),
    ],
  });
  const answer = articles()[1]!;
  expect(within(answer).getByText('可能有关')).toBeVisible();
  expect(within(answer).queryByText('资料')).toBeNull();
  expect(within(answer).getByText('分期')).toBeVisible();
  expect(within(answer).getByRole('blockquote')).toHaveTextContent('押金一次付清。');
  expect(within(answer).getByRole('button', { name: '引用 1：退款政策' })).toBeVisible();
  expect(within(answer).getByRole('button', { name: '转人工' })).toBeVisible();
  expect(within(answer).queryByRole('button', { name: '换个问法' })).toBeNull();
});

test('if nothing was found, offers to ask a person, then to rephrase the question', async () => {
  const { user } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { question: '晚上锁门吗', source: 'none', suggestions: ['几点开门？'] })],
  });
  const answer = articles()[1]!;
  expect(within(answer).getByText('没有找到')).toBeVisible();
  const [person, rephrase] = within(answer).getAllByRole('button');
  expect(person).toHaveAccessibleName('转人工');
  expect(rephrase).toHaveAccessibleName('换个问法');
  await user.click(rephrase!);
  expect(await screen.findByRole('textbox', { name: '修改问题' })).toHaveValue('晚上锁门吗');
});

test('says how a follow-up was understood, and asks it alone on request', async () => {
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: [record('r1', { question: '那周末呢', understoodAs: '几点可以取件？那周末呢' })],
  });
  expect(articles()[1]).toHaveTextContent('理解为：几点可以取件？那周末呢');
  await user.click(screen.getByRole('button', { name: '只按原话问' }));
  await settle();
  expect(calls.findLast(({ url }) => url === '/api/chat')!.body).toMatchObject({
    text: '那周末呢',
    versionOf: 'r1',
    isAlone: true,
  });
});
