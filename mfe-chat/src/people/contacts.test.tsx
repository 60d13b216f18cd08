import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type { ContactSearch } from 'api/contract/contacts';
import { type Answers, failure } from 'host/stand-ins';
import { field, openChat, pass, sentQuestions, settle } from '../testing/open-chat.tsx';
import { conversation, RECORD, record } from '../testing/samples.ts';

const ZHANG = { id: '13800138000', name: '张三' };
const OTHER_ZHANG = { id: 'zhang@example.com', name: '张三' };
const ACCEPTED = { ...RECORD, recordId: 'r9', question: '退款', contact: ZHANG };
const chip = () => screen.getByRole('button', { name: /咨询，(选择|更换)联系人/ });
const combobox = () => screen.getByRole('combobox', { name: '电话、邮箱或称呼' });

/** `q` matches a part of the id or the name, as in the API. */
const contacts = (all: (typeof ZHANG)[]): Answers => ({
  'POST /api/contacts/search': ({ body }) => ({
    contacts: all.filter(({ id, name }) => `${id} ${name}`.includes((body as ContactSearch).q ?? '')),
    nextCursor: null,
  }),
});
const read = () => pass(220);

test('asks for oneself until an earlier contact is chosen by keyboard', async () => {
  const { user, calls } = await openChat({ answers: contacts([ZHANG, OTHER_ZHANG]) });
  expect(chip()).toHaveTextContent('为本人咨询');
  chip().focus();
  await user.keyboard('{Enter}');
  await settle();
  expect(combobox()).toHaveFocus();
  const options = within(screen.getByRole('listbox', { name: '联系人' })).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    '本人',
    '张三13800138000',
    '张三zhang@example.com',
  ]);
  expect(options[0]).toHaveAttribute('aria-selected', 'true');

  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(combobox()).toHaveAttribute('aria-activedescendant', options[1]!.id);
  await user.keyboard('{Enter}');
  await settle();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(chip()).toHaveFocus();
  expect(chip()).toHaveTextContent('张三 13800138000');
  expect(chip()).toHaveAccessibleName('为 张三 13800138000 咨询，更换联系人');

  await user.type(field(), '退款{Enter}');
  expect(sentQuestions(calls)).toEqual([{ text: '退款', clientId: expect.any(String), contact: ZHANG.id }]);
  expect(screen.getByRole('article', { name: '我的问题' })).toHaveTextContent('为 张三 咨询');
});

test('accepts a new contact with a name and shows it as stored by the server', async () => {
  const { user, calls, streams, kept } = await openChat({
    answers: contacts([]),
    records: [record('r9', { contact: ZHANG })],
  });
  await user.click(chip());
  await user.type(combobox(), '+86 138-0013-8000');
  await read();
  await user.type(screen.getByRole('textbox', { name: '姓名（可不填）' }), '张三');
  await user.click(screen.getByRole('button', { name: '为此人咨询' }));
  expect(chip()).toHaveTextContent('张三 +86 138-0013-8000');

  await user.type(field(), '退款{Enter}');
  expect(sentQuestions(calls)).toMatchObject([{ contact: '+86 138-0013-8000', contactName: '张三' }]);
  streams[0]!.send('record', ACCEPTED, 0);
  await settle();
  expect(chip()).toHaveTextContent('张三 13800138000');
  expect(JSON.stringify([...kept])).not.toContain('+86');
});

test('the choice survives a reload, belongs to its owner, and 本人 removes it', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({ kept, answers: contacts([ZHANG]) });
  await first.user.click(chip());
  await settle();
  await first.user.click(screen.getByRole('option', { name: /张三/ }));
  first.unmount();

  const other = await openChat({ kept, username: 'lin', token: 't' });
  expect(chip()).toHaveTextContent('为本人咨询');
  other.unmount();

  const second = await openChat({ kept, answers: contacts([ZHANG]) });
  expect(chip()).toHaveTextContent('张三');
  await second.user.click(chip());
  await settle();
  await second.user.click(screen.getByRole('option', { name: '本人' }));
  expect(chip()).toHaveTextContent('为本人咨询');
  await second.user.type(field(), '退款{Enter}');
  expect(sentQuestions(second.calls)).toEqual([{ text: '退款', clientId: expect.any(String) }]);
});

test('shows the contact of the latest question; another choice applies to the next question only', async () => {
  const { user, calls, streams } = await openChat({
    path: '/index?c=c1',
    conversations: [conversation('c1', { contact: ZHANG })],
    records: [record('r2', { contact: ZHANG }), record('r1')],
    answers: contacts([ZHANG, OTHER_ZHANG]),
  });
  const questions = () => screen.getAllByRole('article', { name: '我的问题' });
  expect(chip()).toHaveTextContent('张三 13800138000');
  expect(questions().map((one) => /为 .* 咨询/.test(one.textContent ?? ''))).toEqual([false, true]);

  await user.click(chip());
  await settle();
  await user.click(screen.getByRole('option', { name: /zhang@example/ }));
  expect(chip()).toHaveTextContent('zhang@example.com');
  await user.type(field(), '另一位{Enter}');
  expect(sentQuestions(calls)).toMatchObject([{ conversationId: 'c1', contact: OTHER_ZHANG.id }]);
  streams[0]!.send('record', { ...RECORD, recordId: 'r3' }, 0);
  await settle();
  expect(chip()).toHaveTextContent('zhang@example.com');

  await user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(chip()).toHaveTextContent('为本人咨询');
});

test('a contact applies to one conversation: a new one starts without a contact, also after a reload or sign-in', async () => {
  const kept = new Map<string, string>();
  const first = await openChat({
    kept,
    answers: contacts([ZHANG]),
    records: [record('r9', { contact: ZHANG })],
  });
  await first.user.click(chip());
  await settle();
  await first.user.click(screen.getByRole('option', { name: /张三/ }));
  await first.user.type(field(), '退款{Enter}');
  expect(chip()).toHaveTextContent('张三');
  first.streams[0]!.send('record', ACCEPTED, 0);
  await settle();
  expect(chip()).toHaveTextContent('张三');
  await first.user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(chip()).toHaveTextContent('为本人咨询');
  first.unmount();

  const second = await openChat({ kept, answers: contacts([ZHANG]) });
  expect(chip()).toHaveTextContent('为本人咨询');
  await second.user.type(field(), '另一件事{Enter}');
  expect(sentQuestions(second.calls)).toEqual([{ text: '另一件事', clientId: expect.any(String) }]);
});

test('a contact for one question survives a reload; after that question the former contact returns, also after a reload', async () => {
  const setting = {
    kept: new Map<string, string>(),
    path: '/index?c=c1',
    conversations: [conversation('c1', { contact: ZHANG })],
    records: [record('r1', { contact: ZHANG })],
    answers: contacts([ZHANG, OTHER_ZHANG]),
  };
  const first = await openChat(setting);
  await first.user.click(chip());
  await settle();
  await first.user.click(screen.getByRole('checkbox', { name: /只用于下一个问题/ }));
  await first.user.click(screen.getByRole('option', { name: /zhang@example/ }));
  expect(chip()).toHaveTextContent(/zhang@example.com.*仅下一问/);
  first.unmount();

  const second = await openChat(setting);
  expect(chip()).toHaveAccessibleName('为 张三 zhang@example.com 咨询，更换联系人。只用于下一个问题');
  await second.user.type(field(), '另一位{Enter}');
  expect(sentQuestions(second.calls)).toMatchObject([{ contact: OTHER_ZHANG.id }]);
  second.streams[0]!.send('record', { ...RECORD, recordId: 'r3' }, 0);
  await settle();
  expect(chip()).toHaveTextContent('张三 13800138000');
  expect(chip()).not.toHaveTextContent('仅下一问');
  second.unmount();

  await openChat({
    ...setting,
    records: [record('r3', { contact: OTHER_ZHANG }), record('r1', { contact: ZHANG })],
  });
  expect(chip()).toHaveTextContent('张三 13800138000');
});

test('a rejected question remembers that its contact was chosen for it only', async () => {
  const { user } = await openChat({
    answers: {
      ...contacts([ZHANG]),
      'POST /api/chat': () => {
        throw failure(0, 'offline', '连不上服务器');
      },
    },
  });
  await user.click(chip());
  await settle();
  await user.click(screen.getByRole('checkbox', { name: /只用于下一个问题/ }));
  await user.click(screen.getByRole('option', { name: /张三/ }));
  await user.type(field(), '退款{Enter}');
  await settle();
  await user.click(screen.getByRole('button', { name: '停止' }));
  await settle();
  expect(field()).toHaveValue('退款');
  expect(chip()).toHaveTextContent('仅下一问');
});

test('an empty new conversation says for whom the question will be recorded', async () => {
  const { user } = await openChat({ answers: contacts([ZHANG]) });
  expect(screen.queryByText(/会记在/)).toBeNull();
  await user.click(chip());
  await settle();
  await user.click(screen.getByRole('option', { name: /张三/ }));
  expect(screen.getByText('接下来的问题会记在 张三 13800138000 名下')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '改为本人' }));
  expect(chip()).toHaveTextContent('为本人咨询');
});

test('forgets an unused choice when a new conversation is started', async () => {
  const { user } = await openChat({ answers: contacts([ZHANG]) });
  await user.click(chip());
  await settle();
  await user.click(screen.getByRole('option', { name: /张三/ }));
  expect(chip()).toHaveTextContent('张三');
  await user.click(screen.getByRole('button', { name: '新咨询' }));
  await settle();
  expect(chip()).toHaveTextContent('为本人咨询');
});

test('a question that becomes a draft keeps its contact', async () => {
  let isRefused = true;
  const { user, calls } = await openChat({
    answers: {
      ...contacts([ZHANG]),
      'POST /api/chat': () => {
        if (isRefused) throw failure(0, 'offline', '连不上服务器');
        return new ReadableStream();
      },
    },
  });
  await user.click(chip());
  await settle();
  await user.click(screen.getByRole('option', { name: /张三/ }));
  await user.type(field(), '退款{Enter}');
  await settle();
  expect(chip()).toHaveTextContent('张三');
  await user.click(screen.getByRole('button', { name: '停止' }));
  await settle();
  expect(field()).toHaveValue('退款');
  expect(chip()).toHaveTextContent('张三');
  isRefused = false;
  await user.type(field(), '{Enter}');
  expect(sentQuestions(calls).at(-1)).toMatchObject({ contact: ZHANG.id });
});

test('keeps a question with an ambiguous contact and offers the matching ones; choosing one sends it', async () => {
  let isAmbiguous = true;
  const ambiguous = () =>
    Object.assign(failure(409, 'ambiguous_contact', '有两位'), { choices: [ZHANG, OTHER_ZHANG] });
  const kept = new Map<string, string>();
  const { user, calls, streams, unmount } = await openChat({
    kept,
    answers: {
      ...contacts([]),
      'POST /api/chat': ({ body }) => {
        if (isAmbiguous) throw ambiguous();
        expect(body).toMatchObject({ contact: OTHER_ZHANG.id });
        return new ReadableStream();
      },
    },
  });
  await user.click(chip());
  await user.type(combobox(), '张三{Enter}');
  await user.type(field(), '退款{Enter}');
  await settle();
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent('有几位联系人都叫“张三”，这个问题是为谁问的？');
  expect(screen.getByRole('article', { name: '我的问题' })).toHaveTextContent('退款');

  isAmbiguous = false;
  await user.click(within(alert).getByRole('button', { name: /zhang@example/ }));
  await settle();
  const [first, second] = sentQuestions(calls) as { clientId: string }[];
  expect(second!.clientId).toBe(first!.clientId);
  expect(chip()).toHaveTextContent('zhang@example.com');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(streams).toEqual([]);
  unmount();
});

test('moves a question with an ambiguous contact back into the draft', async () => {
  const { user } = await openChat({
    answers: {
      ...contacts([]),
      'POST /api/chat': () => {
        throw Object.assign(failure(409, 'ambiguous_contact', '有两位'), { choices: [ZHANG, OTHER_ZHANG] });
      },
    },
  });
  await user.click(chip());
  await user.type(combobox(), '张三{Enter}');
  await user.type(field(), '退款{Enter}');
  await settle();
  await user.click(screen.getByRole('button', { name: '放回输入框' }));
  await settle();
  expect(field()).toHaveValue('退款');
  expect(screen.queryAllByRole('article')).toEqual([]);
});

test('rejects a contact that is too long, and allows typing when the list cannot be loaded', async () => {
  const { user } = await openChat();
  await user.click(chip());
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent('联系人暂时读不到');
  await user.click(combobox());
  await user.paste('长'.repeat(121));
  await user.keyboard('{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('最多 120 字，现在 121 字');
  expect(combobox()).toHaveAttribute('aria-invalid', 'true');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(chip()).toHaveFocus();
});
