import { beforeAll, expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import type { ContactMergeRequest, ContactSearch } from 'api/contract/contacts';
import type { DeskRecord } from 'api/contract/records';
import { type Answer, type Call, failure } from 'host/stand-ins';
import { createContactServer } from '../testing/contact-server.ts';
import { type OpenOptions, openScreen } from '../testing/open-screen.tsx';
import { createRecordServer } from '../testing/record-server.ts';
import { sampleRecord } from '../testing/sample-records.ts';
import { withStats } from '../testing/stats-server.ts';
import ContactsScreen from './contacts.tsx';

// Otherwise the first test would wait for these chunks to load.
beforeAll(() =>
  Promise.all([
    import('host/ui/charts/bar-charts.tsx'),
    import('./merge-dialog.tsx'),
    import('../history/erase-dialog.tsx'),
  ]).then(() => undefined),
);

const zhang = { id: '13800138000', name: '张三' };
const mail = { id: 'dev@northwind.cn', name: '' };
const records = () =>
  [zhang, mail, zhang].map((contact, n) =>
    sampleRecord({ id: `r-${n}`, conversationId: `c-${n}`, question: `问题 ${n}`, contact }),
  );

interface Options extends OpenOptions {
  some?: DeskRecord[];
}

function open({ some = records(), ...options }: Options = {}) {
  const server = createRecordServer(some);
  const contacts = createContactServer(server);
  const opened = openScreen(ContactsScreen, withStats(contacts.answer), { path: '/contacts', ...options });
  return { ...opened, server, contacts };
}

const zhangPage = `/contacts#id=${zhang.id}`;
const note = () => screen.findByRole('textbox', { name: '备注' });
const saveNote = () => screen.getByRole('button', { name: '保存备注' });
const menu = async (user: ReturnType<typeof userEvent.setup>, item: string) => {
  await user.click(await screen.findByRole('button', { name: '更多' }));
  await user.click(screen.getByRole('menuitem', { name: item }));
};

test('lists contacts with their figures, finds them, and opens one', async () => {
  const { user, address, contacts } = open();
  contacts.cards.set(mail.id, { note: 'x', revision: 1 });
  const rows = () => screen.getAllByRole('row').slice(1);
  expect(await screen.findByText('2 位')).toBeTruthy();
  expect(rows().map((row) => row.textContent)).toEqual([
    '张三138 0013 8000211 月 20 日',
    expect.stringMatching(/^dev@northwind.cn.*1/),
  ]);

  await user.type(screen.getByRole('searchbox', { name: '按号码、邮箱或姓名查找' }), '没有');
  expect(await screen.findByRole('heading', { name: '没有找到「没有」' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '全部联系人' }));
  await user.click(await screen.findByRole('link', { name: '张三' }));

  expect(address()).toBe(zhangPage);
  expect(await screen.findByRole('heading', { level: 1, name: '张三' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('loads further contacts from where the list ends, and counts them only then', async () => {
  const many = Array.from({ length: 75 }, (_, n) =>
    sampleRecord({ id: `r-${n}`, contact: { id: `1380000${1000 + n}`, name: `姓名 ${n}` } }),
  );
  const asked: ContactSearch[] = [];
  const { user } = open({
    some: many,
    first: ({ url, body }) => {
      if (url !== '/api/contacts/search') return undefined;
      const { cursor, limit = 0 } = body as ContactSearch;
      asked.push(body as ContactSearch);
      const from = Number(cursor ?? 0);
      const contacts = many.slice(from, from + limit).map(({ contact, createdAt }) => ({
        ...contact!,
        recordCount: 1,
        lastAskedAt: createdAt,
        hasNote: false,
      }));
      return { contacts, nextCursor: from + limit < many.length ? String(from + limit) : null };
    },
  });
  const rows = () => screen.getAllByRole('row').slice(1);

  const more = await screen.findByRole('button', { name: '载入更多' });
  expect(rows()).toHaveLength(30);
  expect(screen.queryByText(/位$/)).toBeNull();
  await user.click(more);
  await waitFor(() => expect(rows()).toHaveLength(60));
  await user.click(more);

  expect(await screen.findByText('75 位')).toBeTruthy();
  expect(rows()).toHaveLength(75);
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, '30', '60']);
});

test('explains where contacts come from if there are none, and what failed', async () => {
  const { unmount } = open({ some: [] });
  expect(await screen.findByRole('heading', { name: '还没有联系人' })).toBeTruthy();
  expect(screen.getByRole('link', { name: '去咨询' }).getAttribute('href')).toBe('/index');
  unmount();

  open({
    first: () => {
      throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  expect(await screen.findByRole('heading', { name: '联系人暂时打不开' })).toBeTruthy();
});

test('shows a contact with its figures, months and latest records', async () => {
  open({ path: zhangPage });

  const facts = await screen.findByRole('region', { name: '概况' });
  expect(within(facts).getByRole('link', { name: '拨打 138 0013 8000' }).getAttribute('href')).toBe(
    'tel:13800138000',
  );
  expect(facts.textContent).toContain('记录2会话2');
  expect(await screen.findByRole('img', { name: /每月咨询/ })).toBeTruthy();
  const latest = screen.getByRole('region', { name: '最近的记录' });
  expect((await within(latest).findByRole('link', { name: '问题 0' })).getAttribute('href')).toBe(
    `/history?r=r-0#contact=${zhang.id}`,
  );
  expect(within(latest).getAllByRole('listitem')).toHaveLength(2);
});

test('an old link to a contact still leads there', async () => {
  const { address } = open({ path: `/contacts?id=${zhang.id}` });
  expect(await screen.findByRole('region', { name: '概况' })).toBeVisible();
  expect(address()).toBe(zhangPage);
});

test.each([
  ['张三', null],
  ['+8610655299', 'tel:+8610655299'],
  ['a+b@x.example', 'mailto:a%2Bb@x.example'],
  ['javascript:alert(1)@x', null],
  ['a@b@c.example?bcc=x@y.example', null],
])('the id %s is a link only if it can be reached', async (id, href) => {
  open({
    path: `/contacts#id=${encodeURIComponent(id)}`,
    some: [sampleRecord({ contact: { id, name: '' } })],
  });
  const facts = await screen.findByRole('region', { name: '概况' });
  const link = within(facts).queryByRole('link', { name: /拨打|写邮件/ });
  expect(link?.getAttribute('href') ?? null).toBe(href);
});

test('saves a note, and says so', async () => {
  const { user, contacts } = open({ path: zhangPage });
  await user.type(await note(), '晚上打电话');
  expect(screen.getByText('未保存，草稿留在本机')).toBeTruthy();

  await user.click(saveNote());

  expect(await screen.findByText('已保存')).toBeTruthy();
  expect(contacts.cards.get(zhang.id)).toEqual({ note: '晚上打电话', revision: 1 });
  expect(saveNote().getAttribute('aria-disabled')).toBe('true');
});

test('keeps the draft of a note when saving fails, and when the page is opened again', async () => {
  const kept = new Map<string, string>();
  let isDown = true;
  const first: Answer = ({ method }) => {
    if (method === 'PATCH' && isDown) throw failure(503, 'unavailable', '服务暂时不可用');
    return undefined;
  };
  const { user, unmount } = open({ path: zhangPage, first, kept });
  await user.type(await note(), '草稿');
  await user.click(saveNote());
  expect(await screen.findByText('没能保存：服务暂时不可用')).toBeTruthy();
  expect(await note()).toHaveProperty('value', '草稿');
  unmount();

  isDown = false;
  const again = open({ path: zhangPage, first, kept });
  expect(await note()).toHaveProperty('value', '草稿');
  expect(screen.getByText('这是上次没有保存的草稿')).toBeTruthy();
  await again.user.click(saveNote());
  expect(await screen.findByText('已保存')).toBeTruthy();
  expect([...kept.keys()].filter((key) => key.includes('note'))).toEqual([]);
});

test('shows the other note in a conflict, and lets the visitor decide', async () => {
  const { user, contacts } = open({ path: zhangPage });
  await user.type(await note(), '我的');
  contacts.cards.set(zhang.id, { note: '别处的', revision: 7 });

  await user.click(saveNote());

  expect((await screen.findByRole('alert')).textContent).toContain('备注已在别处改成这样：别处的');
  expect(await note()).toHaveProperty('value', '我的');
  await user.click(screen.getByRole('button', { name: '保留我写的' }));
  expect(document.activeElement).toBe(await note());
  await user.click(saveNote());
  await waitFor(() => expect(contacts.cards.get(zhang.id)).toEqual({ note: '我的', revision: 8 }));
});

test('an older state of the contact that arrives after saving is ignored', async () => {
  const late = Promise.withResolvers<unknown>();
  let reads = 0;
  const first: Answer = ({ url }) => {
    if (url !== '/api/contacts/read') return undefined;
    reads += 1;
    return reads === 2 ? late.promise : undefined;
  };
  const { user, contacts, server } = open({ path: zhangPage, first });
  await user.type(await note(), '晚上打电话');
  const call = { method: 'POST', url: '/api/contacts/read', body: { id: zhang.id } } as Call;
  const before = contacts.answer(call);
  act(() => void window.dispatchEvent(new Event('focus')));
  await waitFor(() => expect(reads).toBe(2));
  await user.click(saveNote());
  expect(await screen.findByText('已保存')).toBeTruthy();

  await act(async () => late.resolve(before));

  expect(await note()).toHaveProperty('value', '晚上打电话');
  expect(server.records).toHaveLength(3);
});

test('what is typed while a note is being saved stays unsaved', async () => {
  const held = Promise.withResolvers<void>();
  const first: Answer = (call) =>
    call.method === 'PATCH' ? held.promise.then(() => opened.contacts.answer(call)) : undefined;
  const opened = open({ path: zhangPage, first });
  const { user, contacts } = opened;
  await user.type(await note(), '一');
  await user.click(saveNote());
  await user.type(await note(), '二');
  await act(async () => held.resolve());

  await waitFor(() => expect(contacts.cards.get(zhang.id)?.note).toBe('一'));
  expect(await note()).toHaveProperty('value', '一二');
  await user.click(saveNote());
  await waitFor(() => expect(contacts.cards.get(zhang.id)?.note).toBe('一二'));
});

test('a note that is too long can not be saved, one of just the maximum length can', async () => {
  const { user, contacts } = open({ path: zhangPage });
  await user.click(await note());
  await user.paste('长'.repeat(2001));
  expect(screen.getByText('2,001 / 2,000，请缩短后保存')).toBeTruthy();
  await user.click(saveNote());
  expect(contacts.cards.has(zhang.id)).toBe(false);
  await user.keyboard('{Backspace}');
  await user.click(saveNote());
  await waitFor(() => expect(contacts.cards.get(zhang.id)?.note).toHaveLength(2000));
});

test('renames a contact, and again after a conflict', async () => {
  const { user, contacts } = open({ path: zhangPage });
  await menu(user, '改名…');
  const dialog = screen.getByRole('dialog', { name: '改名' });
  const field = within(dialog).getByRole('textbox', { name: '姓名' });
  await user.clear(field);
  await user.type(field, '章三');
  contacts.cards.set(zhang.id, { note: '', revision: 3 });
  await user.keyboard('{Enter}');
  expect(await within(dialog).findByText('这位联系人的资料已在别处修改')).toBeTruthy();
  await user.keyboard('{Enter}');

  expect(await screen.findByRole('heading', { level: 1, name: '章三' })).toBeTruthy();
});

test('merges a contact after showing what moves, and opens the other one', async () => {
  const { user, address, server, toasts } = open({ path: zhangPage });
  await menu(user, '合并到…');
  const dialog = await screen.findByRole('dialog', { name: '合并联系人' });
  const field = await within(dialog).findByRole('combobox', { name: '合并到哪位联系人' });
  const options = await within(dialog).findAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['dev@northwind.cn']);
  await user.type(field, 'dev{Enter}');

  const action = await within(dialog).findByRole('button', { name: '合并 2 条' });
  expect(dialog.textContent).toContain('移动的记录2移动的会话2合并后共有3');
  expect(server.records.filter(({ contact }) => contact?.id === zhang.id)).toHaveLength(2);
  await user.click(action);

  await waitFor(() => expect(address()).toBe(`/contacts#id=${encodeURIComponent(mail.id)}`));
  expect(await screen.findByRole('heading', { level: 1, name: mail.id })).toBeTruthy();
  expect(server.records.every(({ contact }) => contact?.id === mail.id)).toBe(true);
  const done = toasts.find(({ text }) => text === '已把 2 条记录合并到 dev@northwind.cn');
  expect(done?.action?.label).toBe('撤销');
  act(() => done?.action?.run());
  await waitFor(() => expect(address()).toBe(zhangPage));
  expect(await screen.findByRole('heading', { level: 1, name: '张三' })).toBeTruthy();
  expect(toasts.at(-1)?.text).toBe('已撤销，2 条记录改回原来的联系人');
});

const three = () => [
  ...records(),
  sampleRecord({ id: 'r-3', conversationId: 'c-3', contact: { id: 'li@northwind.cn', name: '李四' } }),
];
const openMerge = async (options: Options = {}) => {
  const opened = open({ path: zhangPage, some: three(), ...options });
  await menu(opened.user, '合并到…');
  const dialog = within(await screen.findByRole('dialog', { name: '合并联系人' }));
  await dialog.findAllByRole('option');
  const field = dialog.getByRole('combobox', { name: '合并到哪位联系人' });
  const action = () => dialog.getByRole('button', { name: /^(合并|正在合并)/ });
  return { ...opened, dialog, field, action };
};
const isMerge = ({ url, body }: Call) =>
  url === '/api/contacts/merge' && !(body as ContactMergeRequest).dryRun;

test('typing after a choice withdraws it: nothing can be merged until another contact is chosen', async () => {
  const { user, dialog, field, action, calls } = await openMerge();
  await user.type(field, 'dev{Enter}');
  await dialog.findByRole('button', { name: '合并 2 条' });

  await user.type(field, 'x');
  expect(dialog.getByText('选好联系人后，这里会列出将发生的变化')).toBeTruthy();
  expect(action().getAttribute('aria-disabled')).toBe('true');
  await user.click(action());

  expect(calls.filter(isMerge)).toEqual([]);
  expect(field).toHaveFocus();
});

test('after typing, the first contact that is found is the chosen one again', async () => {
  const { user, dialog, field } = await openMerge();
  await user.type(field, '{ArrowDown}');
  expect(dialog.getAllByRole('option').map((option) => option.ariaSelected)).toEqual(['false', 'true']);

  await user.type(field, 'northwind');
  await waitFor(() =>
    expect(dialog.getAllByRole('option').map((option) => option.ariaSelected)).toEqual(['true', 'false']),
  );
});

test('Enter chooses only what was typed, and shows its own preview, not that of the choice before', async () => {
  const held = Promise.withResolvers<void>();
  const opened = await openMerge({
    first: (call) => {
      const { into } = (call.body ?? {}) as ContactMergeRequest;
      const isHeld = call.url === '/api/contacts/merge' && into === 'li@northwind.cn';
      return isHeld ? held.promise.then(() => opened.contacts.answer(call)) : undefined;
    },
  });
  const { user, dialog, field, action } = opened;
  opened.server.records = [sampleRecord({ id: 'r-9', contact: mail }), ...opened.server.records];
  await user.type(field, 'dev{Enter}');
  await dialog.findByText('合并后共有');
  expect(dialog.getByText('合并后共有').nextSibling).toHaveTextContent('4');

  await user.clear(field);
  await user.type(field, 'li@{Enter}');
  expect(await dialog.findByText('正在清点')).toBeTruthy();
  expect(dialog.queryByText('合并后共有')).toBeNull();
  expect(action().getAttribute('aria-disabled')).toBe('true');
  await act(async () => held.resolve());

  expect((await dialog.findByText('合并后共有')).nextSibling).toHaveTextContent('3');
});

test('a rejected merge says why, and the reason disappears with the next choice', async () => {
  let isDown = true;
  const { user, dialog, field, action, address } = await openMerge({
    first: (call) => {
      if (isDown && isMerge(call)) throw failure(503, 'unavailable', '服务暂时不可用');
      return undefined;
    },
  });
  await user.type(field, 'dev{Enter}');
  await user.click(await dialog.findByRole('button', { name: '合并 2 条' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('服务暂时不可用');

  await user.clear(field);
  await user.type(field, 'li@{Enter}');
  await dialog.findByRole('button', { name: '合并 2 条' });
  expect(dialog.queryByRole('alert')).toBeNull();
  isDown = false;
  await user.click(action());

  await waitFor(() => expect(address()).toBe(`/contacts#id=${encodeURIComponent('li@northwind.cn')}`));
});

test('the draft of a note prevents merging', async () => {
  const { user, toasts } = open({ path: zhangPage });
  await user.type(await note(), '草稿');
  await menu(user, '合并到…');

  expect(toasts.at(-1)?.text).toBe('备注还没有保存，请先保存或放弃修改');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the address follows a contact that was merged elsewhere', async () => {
  const { address } = open({
    path: zhangPage,
    first: ({ url, body }) =>
      url === '/api/contacts/read' && (body as { id: string }).id === zhang.id
        ? {
            ...mail,
            note: '',
            revision: 1,
            recordCount: 3,
            conversationCount: 3,
            firstAskedAt: '2026-11-20T09:38:00.000Z',
            lastAskedAt: '2026-11-20T09:38:00.000Z',
          }
        : undefined,
  });

  await waitFor(() => expect(address()).toBe(`/contacts#id=${encodeURIComponent(mail.id)}`));
});

test('a name that was not changed is not sent', async () => {
  const { user, calls } = open({ path: zhangPage });
  await menu(user, '改名…');
  const dialog = within(screen.getByRole('dialog', { name: '改名' }));
  await user.type(dialog.getByRole('textbox', { name: '姓名' }), ' {Enter}');

  expect(screen.queryByRole('dialog')).toBeNull();
  expect(calls.filter(({ method }) => method === 'PATCH')).toEqual([]);
});

test('offers to undo a new name', async () => {
  const { user, toasts } = open({ path: zhangPage });
  await menu(user, '改名…');
  const field = within(screen.getByRole('dialog', { name: '改名' })).getByRole('textbox', { name: '姓名' });
  await user.clear(field);
  await user.type(field, '章三{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: '章三' })).toBeTruthy();
  act(() => toasts.at(-1)?.action?.run());
  expect(await screen.findByRole('heading', { level: 1, name: '张三' })).toBeTruthy();
});

test('deletes the records of a contact by the deletion of /history, and undoes it', async () => {
  const { user, address, server, toasts } = open({ path: zhangPage });
  await menu(user, '删除记录…');
  const dialog = await screen.findByRole('dialog', { name: '删除记录' });
  await user.type(await within(dialog).findByRole('textbox', { name: /以确认/ }), zhang.id);
  await user.click(within(dialog).getByRole('button', { name: '删除 2 条' }));

  await waitFor(() => expect(address()).toBe('/contacts'));
  expect(await screen.findByText('1 位')).toBeTruthy();
  toasts.at(-1)?.action?.run();
  expect(await screen.findByText('2 位')).toBeTruthy();
  expect(server.records).toHaveLength(3);
});

test('says that a contact does not exist, with a link back to the list', async () => {
  const { user } = open({ path: '/contacts#id=nobody' });
  expect(await screen.findByRole('heading', { name: '没有这位联系人' })).toBeTruthy();
  await user.click(screen.getAllByRole('link', { name: '全部联系人' })[1]!);
  expect(await screen.findByText('2 位')).toBeTruthy();
});
