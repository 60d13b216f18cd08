import { beforeEach, expect, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { layOut } from '../testing/lay-out.ts';
import { detail, list, openHistory } from '../testing/open-history.tsx';
import { createRecordServer } from '../testing/record-server.ts';
import { sampleRecord, sampleRecords } from '../testing/sample-records.ts';

const NOON = new Date(2026, 10, 20, 12);
const ZHANG = { id: '13800138000', name: '张三' };

const dialog = () => screen.getByRole('dialog', { name: '删除记录' });

beforeEach(() => layOut());

async function openMenu(user: ReturnType<typeof openHistory>['user'], name: string) {
  await user.click(screen.getByRole('button', { name: '更多' }));
  await user.click(screen.getByRole('menuitem', { name }));
  await screen.findByRole('dialog');
}

test('deletes a record after a preview and restores it from the toast', async () => {
  const { user, server, toasts, address, callsTo } = openHistory(sampleRecords(4, NOON), {
    path: '/history?r=r-1',
  });
  await screen.findByText('4 条');

  await user.click(within(detail()).getByRole('button', { name: '删除这条' }));
  await screen.findByRole('dialog');
  const action = await within(dialog()).findByRole('button', { name: '删除 1 条' });
  expect(within(dialog()).getByText('5 天内可以撤销，之后彻底清除')).toBeVisible();
  await user.click(action);

  await waitFor(() => expect(toasts.at(-1)?.text).toBe('已删除 1 条，5 天内可撤销'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(await screen.findByText('3 条')).toBeVisible();
  expect(list().querySelector('[data-record="r-1"]')).toBeNull();
  await waitFor(() => expect(address()).toBe('/history'));
  expect(callsTo('/api/records/r-1')).toEqual([]);

  act(() => toasts.at(-1)?.action?.run());
  await waitFor(() => expect(toasts.at(-1)?.text).toBe('已恢复 1 条'));
  expect(await screen.findByText('4 条')).toBeVisible();
  expect(list().querySelector('[data-record="r-1"]')).not.toBeNull();
  expect(server.bin).toEqual([]);
});

test('an undo refreshes the list of the filter that is shown by then', async () => {
  const { user, toasts } = openHistory(sampleRecords(4, NOON), { path: '/history?r=r-1' });
  await screen.findByText('4 条');
  await user.click(within(detail()).getByRole('button', { name: '删除这条' }));
  await user.click(await within(dialog()).findByRole('button', { name: '删除 1 条' }));
  expect(await screen.findByText('3 条')).toBeVisible();
  await user.type(screen.getByRole('searchbox', { name: '搜索记录' }), '运费{Enter}');
  expect(await screen.findByRole('heading', { name: '没有符合条件的记录' })).toBeVisible();

  act(() => toasts.at(-1)?.action?.run());

  expect(await screen.findByText('1 条')).toBeVisible();
  expect(list().querySelector('[data-record="r-1"]')).not.toBeNull();
});

test.each([
  ['of the last of these days', 'from=2026-11-18&to=2026-11-19&r=r-3', false],
  ['of another contact', `from=2026-11-18&to=2026-11-19&contact=${ZHANG.id}&r=r-3`, true],
  ['of a later day', 'from=2026-11-18&to=2026-11-19&r=r-0', true],
])('after deleting by days, the open record %s', async (_, query, stays) => {
  const { user, server, address } = openHistory(sampleRecords(20, NOON), { path: `/history?${query}` });
  const [, id] = /r=(.+)$/.exec(query)!;
  await within(await screen.findByRole('article', { name: '记录详情' })).findByRole('button', {
    name: '删除这条',
  });
  await openMenu(user, '按日期删除…');
  const confirm = await within(dialog()).findByRole('textbox', { name: /^输入条数 \d+ 以确认$/ });
  const [count] = /\d+/.exec(within(dialog()).getByRole('button', { name: /^删除 \d+ 条$/ }).textContent!)!;
  await user.type(confirm, `${count}{Enter}`);

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.records.some((record) => record.id === id)).toBe(stays);
  await waitFor(() => expect(address()?.includes(`r=${id}`)).toBe(stays));
});

test('deletes all records of a contact only after its number was typed, in any format', async () => {
  const { user, server } = openHistory(sampleRecords(60, NOON));
  await screen.findByText('60 条');
  await openMenu(user, '按联系人删除…');

  await user.click(await within(dialog()).findByRole('button', { name: /张三 138 0013 8000/ }));
  const action = await within(dialog()).findByRole('button', { name: '删除 20 条' });
  const sample = within(dialog()).getByRole('list', { name: '将删除的记录' });
  expect(within(sample).getAllByRole('listitem')).toHaveLength(4);
  expect(sample).toHaveTextContent('另有 17 条，最早一条在');
  expect(action).toHaveAttribute('aria-disabled', 'true');

  await user.click(action);
  expect(server.records).toHaveLength(60);
  const confirm = within(dialog()).getByRole('textbox', { name: /输入「138 0013 8000」以确认/ });
  expect(confirm).toHaveFocus();
  expect(confirm).toHaveAccessibleDescription('请先输入「138 0013 8000」');
  await user.type(confirm, '138 0013 8001');
  expect(within(dialog()).getByText('与联系人不一致')).toBeVisible();
  await user.clear(confirm);
  await user.type(confirm, '+86 138-0013-8000{Enter}');

  await waitFor(() => expect(server.records).toHaveLength(40));
  expect(server.records.some(({ contact }) => contact?.id === ZHANG.id)).toBe(false);
  expect(await screen.findByText('40 条')).toBeVisible();
});

test('compares the name of a contact ignoring case and spaces', async () => {
  const contact = { id: 'John Smith', name: 'John Smith' };
  const { user, server } = openHistory([sampleRecord({ id: 'r-0', contact })]);
  await screen.findByText('1 条');
  await openMenu(user, '按联系人删除…');
  await user.click(await within(dialog()).findByRole('button', { name: /John Smith/ }));

  const confirm = await within(dialog()).findByRole('textbox', { name: '输入「John Smith」以确认' });
  await user.type(confirm, 'john smit{Enter}');
  expect(confirm).toHaveAccessibleDescription('与联系人不一致');
  await user.type(confirm, 'h{Enter}');

  await waitFor(() => expect(server.records).toEqual([]));
});

test('the bin names a deleted conversation and says for how many days it can be restored', async () => {
  const server = createRecordServer([sampleRecord({ id: 'r-0' })]);
  const entry = { contact: null, from: '', to: '', tz: '', matched: 1, records: [] };
  const times = { createdAt: NOON.toISOString(), undoUntil: NOON.toISOString() };
  server.bin = [
    { ...entry, ...times, undoToken: 'u-1', kind: 'conversation', title: '退款多久到账' },
    { ...entry, ...times, undoToken: 'u-2', kind: 'conversation', title: '' },
  ];
  openHistory(server, { path: '/history?bin=1' });

  const bin = await screen.findByRole('dialog', { name: '回收站' });
  const [named, untitled] = await within(bin).findAllByRole('listitem');
  expect(named).toHaveTextContent('会话「退款多久到账」');
  expect(untitled).toHaveTextContent('一个会话');
  expect(within(bin).getByText('删除、合并和改名后 5 天内可以撤销')).toBeVisible();
});

test('the bin shows earlier deletions on request', async () => {
  const server = createRecordServer([]);
  const times = { createdAt: NOON.toISOString(), undoUntil: NOON.toISOString() };
  const entry = { contact: null, from: '', to: '', tz: '', matched: 1, records: [], ...times };
  server.bin = Array.from({ length: 22 }, (_, n) => {
    const title = `会话 ${n}`;
    return { ...entry, kind: 'conversation', undoToken: `u-${n}`, title };
  });
  const { user } = openHistory(server, { path: '/history?bin=1' });

  const bin = await screen.findByRole('dialog', { name: '回收站' });
  expect(await within(bin).findAllByRole('listitem')).toHaveLength(20);
  await user.click(within(bin).getByRole('button', { name: '更早的删除' }));
  await waitFor(() => expect(within(bin).getAllByRole('listitem')).toHaveLength(22));
  expect(within(bin).queryByRole('button', { name: '更早的删除' })).toBeNull();
});

test('the bin lists merges and renames of contacts, which can only be undone', async () => {
  const server = createRecordServer([sampleRecord({ id: 'r-0' })]);
  const entry = { title: '', from: '', to: '', tz: '', matched: 2, records: [] };
  const times = { createdAt: NOON.toISOString(), undoUntil: NOON.toISOString() };
  const [contact, into] = [ZHANG, { id: 'li@example.com', name: '' }];
  server.bin = [
    { ...entry, ...times, undoToken: 'u-1', kind: 'merge', contact, into },
    { ...entry, ...times, undoToken: 'u-2', kind: 'rename', contact, into: { id: ZHANG.id, name: '章三' } },
  ];
  const { user, calls } = openHistory(server, { path: '/history?bin=1' });

  const bin = await screen.findByRole('dialog', { name: '回收站' });
  const [merged, renamed] = await within(bin).findAllByRole('listitem');
  expect(merged).toHaveTextContent(/张三 .* 合并到 li@example\.com.*合并.*前可以撤销/);
  expect(renamed).toHaveTextContent(/张三 .* 改名为 章三/);
  expect(within(bin).queryByRole('button', { name: /^彻底清除/ })).toBeNull();
  await user.click(within(bin).getByRole('button', { name: /^撤销：张三 .* 合并到/ }));
  const undone = calls.find(({ url }) => url === '/api/undo_contact');
  expect(undone?.body).toEqual({ undoToken: 'u-1' });
});

test('offers a choice if a name matches several contacts, and deletes nothing', async () => {
  const people = [ZHANG, { id: '13900139000', name: '张三' }];
  const records = people.map((contact, index) => sampleRecord({ id: `r-${index}`, contact }));
  const { user, server } = openHistory(records);
  await screen.findByText('2 条');
  await openMenu(user, '按联系人删除…');

  await user.type(within(dialog()).getByRole('textbox'), '张三');
  expect(await within(dialog()).findByText('这个名字有几位联系人，请选一位')).toBeVisible();
  expect(within(dialog()).getByRole('button', { name: '删除' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(within(dialog()).getByRole('button', { name: /139 0013 9000/ }));

  expect(await within(dialog()).findByRole('button', { name: '删除 1 条' })).toBeVisible();
  expect(server.records).toHaveLength(2);
});

test('deletes the contact that was previewed, even if somebody else has the typed name by then', async () => {
  const records = [sampleRecord({ id: 'r-0', contact: ZHANG })];
  const { user, server, callsTo } = openHistory(records);
  await screen.findByText('1 条');
  await openMenu(user, '按联系人删除…');
  await user.type(within(dialog()).getByRole('textbox'), ZHANG.name);
  const confirm = await within(dialog()).findByRole('textbox', { name: /输入「138 0013 8000」以确认/ });

  const namesake = { id: '13900139000', name: ZHANG.name };
  server.records.push(sampleRecord({ id: 'r-1', contact: namesake }));
  await user.type(confirm, `${ZHANG.id}{Enter}`);

  await waitFor(() => expect(server.records.map(({ id }) => id)).toEqual(['r-1']));
  expect(callsTo('/api/delete_by_contact').map(({ body }) => body)).toEqual([
    { contact: ZHANG.name, dryRun: true },
    { contact: ZHANG.id },
  ]);
});

test('a preview that arrives after another contact was typed is ignored', async () => {
  const late = Promise.withResolvers<void>();
  const other = { id: '13900139000', name: '李四' };
  const server = createRecordServer([
    sampleRecord({ id: 'r-0', contact: ZHANG }),
    sampleRecord({ id: 'r-1', contact: other }),
    sampleRecord({ id: 'r-2', contact: other }),
  ]);
  const { user, callsTo } = openHistory(server, {
    first: (call) =>
      call.url === '/api/delete_by_contact' && (call.body as { contact: string }).contact === ZHANG.id
        ? late.promise.then(() => server.answer(call))
        : undefined,
  });
  await screen.findByText('3 条');
  await openMenu(user, '按联系人删除…');
  const field = within(dialog()).getByRole('textbox');
  await user.type(field, ZHANG.id);
  await waitFor(() => expect(callsTo('/api/delete_by_contact')).toHaveLength(1));

  await user.clear(field);
  await user.type(field, other.id);
  const action = await within(dialog()).findByRole('button', { name: '删除 2 条' });
  await act(async () => late.resolve());
  expect(action).toHaveTextContent('删除 2 条');
  await user.type(within(dialog()).getByRole('textbox', { name: /以确认/ }), `${other.id}{Enter}`);

  await waitFor(() => expect(server.records.map(({ id }) => id)).toEqual(['r-0']));
});

test('deleting by days is confirmed by typing the count', async () => {
  const { user, server, callsTo } = openHistory(sampleRecords(60, NOON), {
    path: '/history?from=2026-11-18&to=2026-11-19',
  });
  await screen.findByText(/^\d+ 条$/);
  const count = server.records.filter(({ createdAt }) => {
    const day = new Date(createdAt).getDate();
    return day === 18 || day === 19;
  }).length;
  await openMenu(user, '按日期删除…');

  await user.type(
    await within(dialog()).findByRole('textbox', { name: `输入条数 ${count} 以确认` }),
    `${count}`,
  );
  await user.click(within(dialog()).getByRole('button', { name: `删除 ${count} 条` }));

  await waitFor(() => expect(server.records).toHaveLength(60 - count));
  expect(callsTo('/api/delete_by_date').at(-1)?.body).toMatchObject({ from: '2026-11-18', to: '2026-11-19' });
});

test('the dialog for days starts at the days, since it has no field', async () => {
  const { user } = openHistory(sampleRecords(3, NOON));
  await screen.findByText('3 条');
  await openMenu(user, '按日期删除…');
  const [days] = within(dialog())
    .getAllByRole('button')
    .filter((button) => button.hasAttribute('aria-haspopup'));
  expect(days).toHaveFocus();
});

test('a confirmation counts only for what it was typed for', async () => {
  const { user, server } = openHistory(sampleRecords(60, NOON), {
    path: '/history?from=2026-11-18&to=2026-11-19',
  });
  await screen.findByText(/^\d+ 条$/);
  await openMenu(user, '按日期删除…');
  const confirm = () => within(dialog()).findByRole('textbox', { name: /^输入条数 \d+ 以确认$/ });
  const action = () => within(dialog()).getByRole('button', { name: /^删除 \d+ 条$/ });
  const field = await confirm();
  const count = /\d+/.exec(action().textContent ?? '')?.[0] ?? '';
  await user.type(field, count);
  expect(action()).not.toHaveAttribute('aria-disabled', 'true');

  await user.click(within(dialog()).getByRole('radio', { name: '按联系人' }));
  await user.click(within(dialog()).getByRole('radio', { name: '按日期' }));

  expect(await confirm()).toHaveValue('');
  expect(action()).toHaveAttribute('aria-disabled', 'true');
  await user.click(action());
  expect(server.records).toHaveLength(60);
});

test('deletes everything that matches a filter, including records not loaded', async () => {
  const { user, server } = openHistory(sampleRecords(300, NOON), { path: '/history?source=document' });
  await screen.findByText('120 条');

  await user.click(screen.getByRole('checkbox', { name: '选择找到的全部记录' }));
  await user.click(screen.getByRole('button', { name: '删除' }));
  await user.type(await screen.findByRole('textbox', { name: '输入条数 120 以确认' }), '120{Enter}');

  expect(await screen.findByRole('heading', { name: '没有符合条件的记录' })).toBeVisible();
  expect(server.records).toHaveLength(180);
  expect(screen.queryByRole('toolbar')).toBeNull();
});

test('reports a failed deletion and changes nothing', async () => {
  const { user } = openHistory(sampleRecords(3, NOON), {
    first: ({ url, body }) => {
      if (url === '/api/delete_by_ids' && !(body as { dryRun?: boolean }).dryRun)
        throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  await screen.findByText('3 条');

  await user.click(within(detail()).getByRole('button', { name: '删除这条' }));
  await user.click(await screen.findByRole('button', { name: '删除 1 条' }));

  expect(await within(dialog()).findByText('服务暂时不可用')).toBeVisible();
  await user.click(within(dialog()).getByRole('button', { name: '取消' }));
  expect(screen.getByText('3 条')).toBeVisible();
});

test('the bin shows until when a deletion can be undone, and restores it', async () => {
  const { user, server, toasts, address } = openHistory(sampleRecords(6, NOON));
  await screen.findByText('6 条');
  server.answer({ ...call, url: '/api/delete_by_contact', body: { contact: ZHANG.id } });

  await user.click(screen.getByRole('link', { name: '回收站' }));
  const bin = await screen.findByRole('dialog', { name: '回收站' });
  expect(address()).toBe('/history?bin=1');
  const entry = await within(bin).findByRole('listitem');
  expect(entry).toHaveTextContent(/联系人 张三 138 0013 8000 2 条/);
  expect(entry).toHaveTextContent(/彻底清除/);
  await user.click(within(bin).getByRole('button', { name: /^撤销：联系人 张三/ }));

  expect(await within(bin).findByText('回收站是空的')).toBeVisible();
  expect(within(bin).getByRole('heading', { name: '回收站' })).toHaveFocus();
  expect(toasts.at(-1)?.text).toBe('已恢复 2 条');
  expect(server.records).toHaveLength(6);
  await user.click(within(bin).getByRole('button', { name: '关闭' }));
  expect(address()).toBe('/history');
});

test('leaves the focus in the screen after closing a bin that was opened by its address', async () => {
  const { user } = openHistory(sampleRecords(6, NOON), { path: '/history?bin=1' });
  const bin = await screen.findByRole('dialog', { name: '回收站' });
  await user.click(within(bin).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('main')).toHaveFocus();
});

test('deleting for good requires typing the count', async () => {
  const { user, server } = openHistory(sampleRecords(6, NOON), { path: '/history' });
  await screen.findByText('6 条');
  server.answer({ ...call, url: '/api/delete_by_contact', body: { contact: ZHANG.id } });
  await user.click(screen.getByRole('link', { name: '回收站' }));
  const bin = await screen.findByRole('dialog', { name: '回收站' });

  await user.click(await within(bin).findByRole('button', { name: /^彻底清除：/ }));
  await user.click(within(bin).getByRole('button', { name: '清除 2 条' }));
  expect(server.bin).toHaveLength(1);
  expect(within(bin).getByRole('textbox', { name: '输入条数 2 以确认' })).toHaveFocus();
  await user.keyboard('1');
  // Otherwise the key would also close the dialog.
  expect(fireEvent.keyDown(document.activeElement!, { key: 'Escape' })).toBe(false);
  expect(within(bin).queryByRole('textbox')).toBeNull();
  expect(within(bin).getByRole('button', { name: /^撤销：/ })).toHaveFocus();
  await user.click(within(bin).getByRole('button', { name: /^彻底清除：/ }));
  // The text that was typed before is gone.
  await user.keyboard('2{Enter}');

  await waitFor(() => expect(server.bin).toEqual([]));
  expect(await within(bin).findByText('回收站是空的')).toBeVisible();
});

test('reports a deletion that was undone elsewhere and removes it from the bin', async () => {
  const { user, server, toasts } = openHistory(sampleRecords(6, NOON), { path: '/history?bin=1' });
  const bin = await screen.findByRole('dialog', { name: '回收站' });
  await within(bin).findByText('回收站是空的');
  await user.click(within(bin).getByRole('button', { name: '关闭' }));
  server.answer({ ...call, url: '/api/delete_by_contact', body: { contact: ZHANG.id } });
  await user.click(screen.getByRole('link', { name: '回收站' }));
  const again = await screen.findByRole('dialog', { name: '回收站' });
  const undo = await within(again).findByRole('button', { name: /^撤销：/ });

  server.bin = [];
  await user.click(undo);

  expect(await within(again).findByText('回收站是空的')).toBeVisible();
  expect(toasts.at(-1)).toMatchObject({ kind: 'error', text: '这次删除已经撤销过了' });
});

const call = { method: 'POST', url: '', body: {}, params: {}, headers: {}, signal: undefined };
