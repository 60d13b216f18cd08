import { expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { type Answers, failure } from 'host/stand-ins';
import { openScreen } from '../testing/open-screen.tsx';
import PeopleScreen from './people.tsx';
import { samplePeople } from './testing/sample-people.ts';

const open = (answers: Answers = {}) => openScreen(PeopleScreen, { ...samplePeople(), ...answers });

const roleOf = (name: string, role: string) =>
  within(screen.getByRole('group', { name: `${name} 的角色` })).getByRole('checkbox', { name: role });
const names = () => screen.getAllByRole('group').map((group) => group.querySelector('legend')?.textContent);

test('gives and takes roles, but not one’s own', async () => {
  const { user, calls, toasts } = open();
  await screen.findByText('ben');
  expect(roleOf('anna', '管理员')).toBeDisabled();
  expect(screen.queryByRole('button', { name: '停用 anna' })).toBeNull();
  await user.click(roleOf('ben', '编辑者'));
  await waitFor(() => expect(roleOf('ben', '编辑者')).toBeChecked());
  await user.click(roleOf('ben', '客服'));
  await waitFor(() => expect(roleOf('ben', '客服')).not.toBeChecked());
  expect(calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { roles: ['agent', 'editor'] },
    { roles: ['editor'] },
  ]);
  expect(toasts).toHaveLength(2);
});

test('shows who has a second factor, and who has no password', async () => {
  open();
  const rows = await screen.findAllByRole('listitem');
  const [anna, ben, , chen] = rows;
  expect(anna).toHaveTextContent('已开启两步验证');
  expect(ben).not.toHaveTextContent(/两步验证|单点登录/);
  expect(chen).toHaveTextContent('单点登录，无密码');
});

test('disables and enables an account', async () => {
  const { user, toasts } = open();
  await user.click(await screen.findByRole('button', { name: '停用 ben' }));
  await user.click(await screen.findByRole('button', { name: '启用 ben' }));
  await screen.findByRole('button', { name: '停用 ben' });
  expect(toasts.map(({ text }) => text)).toEqual([
    'ben 已停用，并已在所有设备上退出登录',
    'ben 可以重新登录了',
  ]);
});

test('after a rejection the account is shown unchanged', async () => {
  const { user, toasts } = open({
    'PATCH /api/people/2': () => {
      throw failure(409, 'conflict', '至少要保留一位管理员');
    },
  });
  await user.click(await screen.findByRole('button', { name: '停用 ben' }));
  await waitFor(() => expect(toasts).toEqual([{ kind: 'error', text: '至少要保留一位管理员' }]));
  expect(screen.getByRole('button', { name: '停用 ben' })).toBeVisible();
});

test('filters by name and role, and says if nobody matches', async () => {
  const { user } = open();
  await screen.findByText('ben');
  await user.selectOptions(screen.getByLabelText('角色'), '客服');
  await waitFor(() => expect(names()).toEqual(['ben 的角色']));
  await user.type(screen.getByRole('searchbox'), '陈');
  expect(await screen.findByText('没有符合条件的账号')).toBeVisible();
  await user.selectOptions(screen.getByLabelText('角色'), '所有账号');
  await waitFor(() => expect(names()).toEqual(['陈立 的角色']));
});

test('filters by group', async () => {
  const search = samplePeople()['POST /api/people/search'];
  const { user } = open({
    'POST /api/people/search': (call) => {
      const { group, ...others } = call.body as { group?: string; q: string };
      return search({ body: { ...others, ...(group === 'a'.repeat(24) && { q: '陈' }) } });
    },
  });
  await user.selectOptions(await screen.findByLabelText('群组'), 'Leads');
  await waitFor(() => expect(names()).toEqual(['陈立 的角色']));
  await user.selectOptions(screen.getByLabelText('群组'), '所有群组');
  await waitFor(() => expect(names()).toHaveLength(4));
});

test('a further page of another filter is not added', async () => {
  const late = Promise.withResolvers<unknown>();
  const search = samplePeople()['POST /api/people/search'];
  const { user } = open({
    'POST /api/people/search': (call) => {
      const { role, cursor } = call.body as { role?: string; cursor?: string };
      if (cursor) return late.promise;
      return { ...search(call), nextCursor: role ? null : 'next' };
    },
  });
  await user.click(await screen.findByRole('button', { name: '显示更多' }));
  await user.selectOptions(screen.getByLabelText('角色'), '客服');
  await waitFor(() => expect(names()).toEqual(['ben 的角色']));
  await act(async () => late.resolve({ ...search({ body: { q: '陈' } }), nextCursor: 'wrong' }));
  expect(names()).toEqual(['ben 的角色']);
  expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull();
});

test('adds and deletes groups, and chooses those of an account', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('button', { name: '群组' }));
  let dialog = within(screen.getByRole('dialog', { name: '群组' }));
  expect(await dialog.findByText('0 人 · 客服 · 登录时按“desk-leads”加入')).toBeVisible();
  await user.type(dialog.getByLabelText('新群组'), '人事部');
  await user.click(dialog.getByRole('checkbox', { name: '编辑者' }));
  await user.click(dialog.getByRole('button', { name: '添加' }));
  expect(await dialog.findByText('人事部')).toBeVisible();
  expect(dialog.getByText('0 人 · 编辑者')).toBeVisible();
  expect(dialog.getByRole('checkbox', { name: '编辑者' })).not.toBeChecked();
  await user.click(dialog.getByRole('button', { name: '修改 Leads' }));
  expect(dialog.getByLabelText('名称')).toHaveValue('Leads');
  expect(dialog.getByRole('checkbox', { name: '客服' })).toBeChecked();
  await user.click(dialog.getByRole('button', { name: '删除 Leads' }));
  const deletion = within(screen.getByRole('dialog', { name: '删除群组“Leads”？' }));
  expect(deletion.getByText(/^0 位成员.*无法撤销。$/)).toBeVisible();
  expect(calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  await user.click(deletion.getByRole('button', { name: '删除群组' }));
  dialog = within(await screen.findByRole('dialog', { name: '群组' }));
  await waitFor(() => expect(dialog.queryByText('Leads')).toBeNull());
  // Text that is typed now no longer belongs to the deleted group.
  expect(await dialog.findByLabelText('新群组')).toHaveValue('');
  await user.click(dialog.getByRole('button', { name: '关闭' }));
  await user.click(screen.getByRole('button', { name: 'ben 的更多操作' }));
  await user.click(screen.getByRole('menuitem', { name: '群组…' }));
  const own = within(screen.getByRole('dialog', { name: 'ben 的群组' }));
  await user.click(own.getByRole('checkbox', { name: '人事部' }));
  await user.click(own.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.findLast(({ method }) => method === 'PATCH')?.body).toEqual({ groups: ['b'.repeat(24)] });
});

test('shows further pages on request', async () => {
  const { 'POST /api/people/search': search } = samplePeople();
  const { user } = open({
    'POST /api/people/search': (call) => {
      const { people } = search(call);
      const isSecond = (call.body as { cursor?: string }).cursor === 'second';
      return isSecond
        ? { people: people.slice(2), nextCursor: null }
        : { people: people.slice(0, 2), nextCursor: 'second' };
    },
  });
  await user.click(await screen.findByRole('button', { name: '显示更多' }));
  await waitFor(() => expect(names()).toHaveLength(4));
  expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull();
});

test('explains to others who can see the accounts', async () => {
  open({
    'POST /api/people/search': () => {
      throw failure(403, 'forbidden', '没有权限进行此操作');
    },
  });
  expect(await screen.findByText('只有管理员可以查看账号')).toBeVisible();
});

test('makes a link for a new password', async () => {
  const { user } = open({ 'POST /api/people/2/password-link': () => ({ token: 'secret', expiresAt: '' }) });
  await user.click(await screen.findByRole('button', { name: 'ben 的更多操作' }));
  await user.click(screen.getByRole('menuitem', { name: '重设密码的链接' }));
  const dialog = within(await screen.findByRole('dialog', { name: '重设 ben 的密码' }));
  const link = dialog.getByLabelText<HTMLInputElement>('一次性链接');
  expect(link).toHaveValue('http://localhost/chatbot/login#link=secret');
  // The link has the focus, so that it can be copied.
  expect(link).toHaveFocus();
  expect([link.selectionStart, link.selectionEnd]).toEqual([0, link.value.length]);
});

test('invites somebody with a role', async () => {
  const { user, calls } = open({
    'POST /api/people/invitations': () => ({ token: 'secret', expiresAt: '' }),
  });
  await user.click(await screen.findByRole('button', { name: '邀请' }));
  const dialog = within(screen.getByRole('dialog', { name: '邀请' }));
  await user.selectOptions(dialog.getByLabelText('角色'), '客服');
  await user.click(dialog.getByRole('button', { name: '生成邀请链接' }));
  expect(await screen.findByRole('dialog', { name: '邀请链接' })).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({ roles: ['agent'] });
});

test('deletes an account after a question, and restores it', async () => {
  const { user } = open({
    'DELETE /api/people/2': () => ({
      ...samplePeople()['POST /api/people/search']({ body: { q: 'ben' } }).people[0],
      isDisabled: true,
      deleteAt: '2026-12-05T08:00:00.000Z',
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'ben 的更多操作' }));
  await user.click(screen.getByRole('menuitem', { name: '删除账号' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '删除账号' }));
  expect(await screen.findByRole('button', { name: '恢复 ben' })).toBeVisible();
  expect(screen.getByText(/删除$/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: '恢复 ben' }));
  expect(await screen.findByRole('button', { name: '停用 ben' })).toBeVisible();
});

test('transfers what an account is responsible for', async () => {
  const { user, calls, toasts } = open();
  await user.click(await screen.findByRole('button', { name: 'ben 的更多操作' }));
  await user.click(screen.getByRole('menuitem', { name: '移交工作…' }));
  const dialog = within(screen.getByRole('dialog', { name: '移交 ben 的工作' }));
  expect(await dialog.findByText('2 个知识集的编辑权')).toBeVisible();
  expect(dialog.getByText('1 个未结束的人工咨询')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: '移交' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('请填写接收账号的用户名');
  await user.type(dialog.getByLabelText('接收账号的用户名'), ' 陈立 ');
  await user.click(dialog.getByRole('button', { name: '移交' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.at(-1)?.body).toEqual({ to: '陈立' });
  expect(toasts.at(-1)?.text).toBe('ben 的工作已移交给 陈立');
});

test('an account that is responsible for nothing has nothing to transfer', async () => {
  const { user, calls } = open();
  await user.click(await screen.findByRole('button', { name: '陈立 的更多操作' }));
  await user.click(screen.getByRole('menuitem', { name: '移交工作…' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByText('该账号没有需要移交的内容。')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: '移交' }));
  expect(calls.filter(({ method, url }) => method === 'POST' && url.endsWith('/transfer'))).toEqual([]);
});

test('a deletion offers the transfer, and does not happen if that fails', async () => {
  let isRefused = true;
  const { user, calls } = open({
    'POST /api/people/2/transfer': () => {
      if (!isRefused) return { collections: 0, handovers: 0 };
      isRefused = false;
      throw failure(400, 'invalid_request', '请输入另一个可以登录的账号的用户名');
    },
    'DELETE /api/people/2': () => ({
      ...samplePeople()['POST /api/people/search']({ body: { q: 'ben' } }).people[0],
      isDisabled: true,
      deleteAt: '2026-12-05T08:00:00.000Z',
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'ben 的更多操作' }));
  await user.click(screen.getByRole('menuitem', { name: '删除账号' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(await dialog.findByLabelText('移交给（用户名，可不填）'), 'nobody');
  await user.click(dialog.getByRole('button', { name: '删除账号' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('请输入另一个可以登录的账号的用户名');
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
  await user.click(dialog.getByRole('button', { name: '删除账号' }));
  expect(await screen.findByRole('button', { name: '恢复 ben' })).toBeVisible();
});
