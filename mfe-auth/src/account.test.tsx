import { describe, expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SessionInfo } from 'api/contract/accounts';
import { type Answers, createStandInServices, failure } from 'host/stand-ins';
import { MemoryRouter, Route, Routes } from 'react-router';
import AccountScreen from './account.tsx';

const SESSIONS: SessionInfo[] = [
  {
    id: 's-old',
    current: false,
    device: 'Firefox · Windows',
    createdAt: '2026-11-01T08:00:00.000Z',
    lastUsedAt: '2026-11-02T08:00:00.000Z',
  },
  {
    id: 's-now',
    current: true,
    device: 'Chrome · macOS',
    createdAt: '2026-11-20T08:00:00.000Z',
    lastUsedAt: '2026-11-21T08:00:00.000Z',
  },
];

function open(answers: Answers = {}, address = '/account') {
  const standIns = createStandInServices({
    token: 'token',
    username: 'lin',
    answers: {
      'GET /admin/sessions': () => ({ sessions: SESSIONS, nextCursor: null }),
      'GET /admin/second-factor': () => ({ hasPassword: true, isOn: false, recoveryCodes: 0, passkeys: [] }),
      ...answers,
    },
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route
          path="/account"
          element={<AccountScreen services={standIns.services} language="zh" controls={null} />}
        />
        <Route path="/login" element={<h1>登录页</h1>} />
        <Route path="/index" element={<h1>咨询页</h1>} />
      </Routes>
    </MemoryRouter>,
  );
  return { ...standIns, user: userEvent.setup() };
}

test('lists the sessions, the current one first and without a button to end it, the others by last use', async () => {
  const newer = {
    ...SESSIONS[0]!,
    id: 's-new',
    device: 'Safari · iOS',
    lastUsedAt: '2026-11-22T08:00:00.000Z',
  };
  open({ 'GET /admin/sessions': () => ({ sessions: [...SESSIONS, newer], nextCursor: null }) });

  const [first, next, second] = await screen.findAllByRole('listitem');
  expect(next).toHaveTextContent('Safari · iOS');
  expect(first).toHaveTextContent('Chrome · macOS');
  expect(first).toHaveTextContent('本机');
  expect(within(first!).queryByRole('button')).toBeNull();
  expect(second).toHaveTextContent('Firefox · Windows');
});

test('ends another session', async () => {
  const { calls, toasts, user } = open({ 'DELETE /admin/sessions/s-old': () => ({ code: 1, msg: '' }) });

  await user.click(await screen.findByRole('button', { name: '退出 Firefox · Windows' }));

  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  expect(calls.at(-1)?.url).toBe('/admin/sessions/s-old');
  expect(toasts).toEqual([{ kind: 'success', text: '已退出该设备' }]);
});

test('ending a session moves the focus to the heading of the sessions, since its button disappears', async () => {
  const { user } = open({ 'DELETE /admin/sessions/s-old': () => ({ code: 1, msg: '' }) });

  await user.click(await screen.findByRole('button', { name: '退出 Firefox · Windows' }));

  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  expect(screen.getByRole('heading', { name: '登录的设备' })).toHaveFocus();
});

test('a session that is being ended is ended once, and the next one can be ended afterwards', async () => {
  const held = Promise.withResolvers<void>();
  const third = { ...SESSIONS[0]!, id: 's-third', device: 'Safari · iOS' };
  const { calls, user } = open({
    'GET /admin/sessions': () => ({ sessions: [...SESSIONS, third], nextCursor: null }),
    'DELETE /admin/sessions/s-old': () => held.promise.then(() => ({ code: 1, msg: '' })),
    'DELETE /admin/sessions/s-third': () => ({ code: 1, msg: '' }),
  });
  const ended = () => calls.flatMap(({ method, url }) => (method === 'DELETE' ? [url] : []));

  const button = await screen.findByRole('button', { name: '退出 Firefox · Windows' });
  await user.dblClick(button);
  expect(ended()).toEqual(['/admin/sessions/s-old']);
  held.resolve();
  await waitFor(() => expect(button).not.toBeInTheDocument());

  await user.click(screen.getByRole('button', { name: '退出 Safari · iOS' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  expect(ended()).toEqual(['/admin/sessions/s-old', '/admin/sessions/s-third']);
});

test('keeps a session in the list when it could not be ended', async () => {
  const { toasts, user } = open({
    'DELETE /admin/sessions/s-old': () => {
      throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });

  await user.click(await screen.findByRole('button', { name: '退出 Firefox · Windows' }));

  await waitFor(() => expect(toasts).toEqual([{ kind: 'error', text: '服务暂时不可用' }]));
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
});

test('signing out everywhere clears the session and navigates to sign-in', async () => {
  const { services, user } = open({ 'DELETE /admin/sessions': () => ({ code: 1, msg: '' }) });

  await user.click(await screen.findByRole('button', { name: '在所有设备上退出' }));

  await screen.findByRole('heading', { name: '登录页' });
  expect(services.token$.value).toBe('');
});

test('reports sessions that cannot be loaded, and retries', async () => {
  let attempts = 0;
  const { user } = open({
    'GET /admin/sessions': () => {
      attempts += 1;
      if (attempts === 1) throw failure(0, 'offline', '网络已断开');
      return { sessions: SESSIONS, nextCursor: null };
    },
  });

  expect(await screen.findByText('网络已断开')).toBeVisible();
  await user.click(screen.getByRole('button', { name: '重试' }));

  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
});

test('changes the password, trimmed, and clears the form', async () => {
  const { calls, toasts, user } = open({ 'POST /admin/password': () => ({ code: 1, msg: '' }) });
  const form = screen.getByRole('form', { name: '修改密码' });

  await user.type(within(form).getByLabelText('当前密码'), 'old-secret');
  await user.type(within(form).getByLabelText('新密码'), ' new-secret ');
  await user.click(within(form).getByRole('button', { name: '修改密码' }));

  await waitFor(() => expect(toasts).toEqual([{ kind: 'success', text: '密码已修改' }]));
  expect(calls.find(({ url }) => url === '/admin/password')?.body).toEqual({
    current: 'old-secret',
    next: 'new-secret',
  });
  expect(within(form).getByLabelText('当前密码')).toHaveValue('');
  expect(within(form).getByLabelText('新密码')).toHaveValue('');
});

test('loads the sessions again after a password change, which signs out the others', async () => {
  let sessions = SESSIONS;
  const { user } = open({
    'GET /admin/sessions': () => ({ sessions, nextCursor: null }),
    'POST /admin/password': () => {
      sessions = SESSIONS.filter(({ current }) => current);
      return { code: 1, msg: '' };
    },
  });
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);

  await user.type(screen.getByLabelText('当前密码'), 'old-secret');
  await user.type(screen.getByLabelText('新密码'), 'new-secret{Enter}');

  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
});

test('shows the characters and the strength of a new password until it is changed', async () => {
  const { user } = open({ 'POST /admin/password': () => ({ code: 1, msg: '' }) });
  const form = within(screen.getByRole('form', { name: '修改密码' }));
  const next = form.getByLabelText('新密码');
  expect(next).toHaveAccessibleDescription(/8–128 个字符，修改后/);

  await user.click(form.getAllByRole('button', { name: '显示字符' })[1]!);
  expect(next).toHaveAttribute('type', 'text');
  await user.type(next, 'abc');
  expect(next).toHaveAccessibleDescription('至少 8 个字符');
  await user.type(next, ' correct horse');
  expect(next).toHaveAccessibleDescription('强度良好');

  await user.type(form.getByLabelText('当前密码'), 'old-secret{Enter}');
  await waitFor(() => expect(form.getByLabelText('新密码')).toHaveAccessibleDescription(/修改后/));
});

test('marks a new password of invalid length and does not send it', async () => {
  const { calls, user } = open();
  const next = screen.getByLabelText('新密码');

  for (const invalid of ['short', 'x'.repeat(129)]) {
    await user.clear(next);
    await user.click(next);
    await user.paste(invalid);
    await user.keyboard('{Enter}');
    expect(next).toBeInvalid();
    expect(next).toHaveAccessibleDescription(/8–128 个字符/);
  }
  expect(calls.filter(({ url }) => url === '/admin/password')).toEqual([]);
});

test('shows the server’s message when the password is rejected, and keeps the input', async () => {
  const { user } = open({ 'POST /admin/password': () => ({ code: 0, msg: '当前密码不正确' }) });

  await user.type(screen.getByLabelText('当前密码'), 'guess');
  await user.type(screen.getByLabelText('新密码'), 'long-enough{Enter}');

  expect(await screen.findByText('当前密码不正确')).toBeVisible();
  expect(screen.getByLabelText('新密码')).toHaveValue('long-enough');
});

test('sends a password change once, and removes the earlier reason meanwhile', async () => {
  const held = Promise.withResolvers<object>();
  let attempts = 0;
  const { toasts, user } = open({
    'POST /admin/password': () => {
      attempts += 1;
      return attempts === 1 ? { code: 0, msg: '当前密码不正确' } : held.promise;
    },
  });
  const change = within(screen.getByRole('form', { name: '修改密码' })).getByRole('button', { name: /修改/ });
  await user.type(screen.getByLabelText('当前密码'), 'guess');
  await user.type(screen.getByLabelText('新密码'), 'long-enough{Enter}');
  expect(await screen.findByText('当前密码不正确')).toBeVisible();

  await user.dblClick(change);

  expect(screen.queryByText('当前密码不正确')).toBeNull();
  expect(attempts).toBe(2);
  held.resolve({ code: 1, msg: '' });
  await waitFor(() => expect(toasts).toEqual([{ kind: 'success', text: '密码已修改' }]));
});

test('deletes the account only after password and name were typed', async () => {
  const { services, calls, toasts, user } = open({
    'DELETE /admin/account': () => ({ code: 1, msg: '' }),
  });

  await user.click(screen.getByRole('button', { name: '删除账号…' }));
  const dialog = screen.getByRole('dialog', { name: '删除账号 lin' });
  const action = within(dialog).getByRole('button', { name: '删除账号' });
  await user.click(action);
  expect(within(dialog).getByRole('alert')).toHaveTextContent('请先输入密码');
  await user.type(within(dialog).getByLabelText('密码'), 'secret-1');
  await user.type(within(dialog).getByLabelText(/输入用户名/), 'li');
  await user.click(action);
  expect(within(dialog).getByRole('alert')).toHaveTextContent('请输入用户名「lin」');
  expect(calls.filter(({ method }) => method === 'DELETE')).toEqual([]);
  await user.type(within(dialog).getByLabelText(/输入用户名/), 'N');
  await user.click(action);

  await screen.findByRole('heading', { name: '咨询页' });
  expect(calls.at(-1)).toMatchObject({
    method: 'DELETE',
    url: '/admin/account',
    body: { password: 'secret-1' },
  });
  expect(services.token$.value).toBe('');
  expect(toasts).toEqual([{ kind: 'success', text: '账号已删除' }]);
});

test('shows a wrong password in the dialog and keeps the account', async () => {
  const { services, user } = open({ 'DELETE /admin/account': () => ({ code: 0, msg: '密码不正确' }) });

  await user.click(screen.getByRole('button', { name: '删除账号…' }));
  const dialog = screen.getByRole('dialog');
  await user.type(within(dialog).getByLabelText('密码'), 'wrong');
  await user.type(within(dialog).getByLabelText(/输入用户名/), 'lin');
  await user.click(within(dialog).getByRole('button', { name: '删除账号' }));

  expect(await within(dialog).findByText('密码不正确')).toBeVisible();
  expect(services.token$.value).toBe('token');

  await user.click(within(dialog).getByRole('button', { name: '取消' }));
  await user.click(screen.getByRole('button', { name: '删除账号…' }));
  const again = within(screen.getByRole('dialog'));
  expect(again.getByLabelText('密码')).toHaveValue('');
  expect(again.getByLabelText(/输入用户名/)).toHaveValue('');
  expect(again.queryByText('密码不正确')).toBeNull();
});

test('the second factor is switched on by a first code and the password, and shows recovery codes once', async () => {
  const recoveryCodes = ['AAAA-BBBB-CCCC-DDDD', 'EEEE-FFFF-GGGG-HHHH'];
  let isOn = false;
  let reply: object = { code: 0, msg: '验证码不正确', field: 'code' };
  const { calls, toasts, user } = open({
    'GET /admin/second-factor': () => ({
      hasPassword: true,
      isOn,
      recoveryCodes: isOn ? 2 : 0,
      passkeys: [],
    }),
    'POST /admin/second-factor/secret': () => ({ code: 1, msg: '', data: { secret: 'ABCDEFGHIJKL' } }),
    'POST /admin/second-factor': () => reply,
  });
  await user.click(await screen.findByRole('button', { name: '开启两步验证…' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(await dialog.findByRole('img', { name: '密钥的二维码' })).toBeVisible();
  expect(dialog.getByLabelText('密钥')).toHaveValue('ABCD EFGH IJKL');
  await user.type(dialog.getByLabelText('密码'), 'secret-1');
  await user.type(dialog.getByLabelText('验证码'), '123456{Enter}');
  expect(await dialog.findByText('验证码不正确')).toBeVisible();

  isOn = true;
  reply = { code: 1, msg: '', data: { recoveryCodes } };
  await user.click(dialog.getByRole('button', { name: '开启' }));
  for (const code of recoveryCodes) expect(await screen.findByText(code)).toBeVisible();
  await user.keyboard('{Escape}');
  expect(screen.getByText(/备用码保存好了吗/)).toBeVisible();
  expect(screen.getByRole('button', { name: '我已保存' })).toHaveFocus();
  expect(screen.getByText(recoveryCodes[0]!)).toBeVisible();
  await user.click(screen.getByRole('button', { name: '我已保存' }));
  expect(screen.queryByText(recoveryCodes[0]!)).toBeNull();
  expect(await screen.findByText('还有 2 个备用码可用。')).toBeVisible();
  expect(calls.find(({ url }) => url === '/admin/second-factor')).toBeDefined();
  expect(calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
    password: 'secret-1',
    code: '123456',
  });
  expect(toasts).toEqual([{ kind: 'success', text: '两步验证已开启' }]);
});

test('the second factor is switched off by the password and a code', async () => {
  let isOn = true;
  const { calls, user } = open({
    'GET /admin/second-factor': () => ({ hasPassword: true, isOn, recoveryCodes: 10, passkeys: [] }),
    'DELETE /admin/second-factor': () => ({ code: 1, msg: '' }),
  });
  await user.click(await screen.findByRole('button', { name: '关闭两步验证…' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('密码'), 'secret-1');
  isOn = false;
  await user.type(dialog.getByLabelText('验证码'), '654321{Enter}');
  expect(await screen.findByRole('button', { name: '开启两步验证…' })).toBeVisible();
  expect(
    calls.find(({ method, url }) => method === 'DELETE' && url === '/admin/second-factor')?.body,
  ).toEqual({ password: 'secret-1', code: '654321' });
});

test('a passkey is listed and can be removed', async () => {
  const passkey = { id: 'p-1', name: '办公室电脑', createdAt: '2026-11-01T08:00:00.000Z', lastUsedAt: null };
  let passkeys = [passkey];
  const { toasts, user } = open({
    'GET /admin/second-factor': () => ({ hasPassword: true, isOn: false, recoveryCodes: 0, passkeys }),
    'DELETE /admin/passkeys/p-1': () => {
      passkeys = [];
      return { code: 1, msg: '' };
    },
  });
  await user.click(await screen.findByRole('button', { name: '删除 办公室电脑' }));
  await waitFor(() => expect(screen.queryByText('办公室电脑')).toBeNull());
  expect(toasts).toEqual([{ kind: 'success', text: '办公室电脑 已删除' }]);
  expect(screen.getByText('当前浏览器在这个网址下不支持通行密钥')).toBeVisible();
});

describe('an account without a password', () => {
  const ofProvider = {
    'GET /admin/second-factor': () => ({ hasPassword: false, isOn: false, recoveryCodes: 0, passkeys: [] }),
    'POST /admin/sso/confirm': () => ({ url: 'https://provider.example/auth' }),
  };
  const leadsToProvider = () =>
    waitFor(() =>
      expect(screen.getByRole('link', { name: '重新登录' })).toHaveAttribute(
        'href',
        'https://provider.example/auth',
      ),
    );

  test('is offered no second factor, and no password to change', async () => {
    open(ofProvider);
    expect(await screen.findByText(/在这里没有密码/)).toBeVisible();
    expect(screen.queryByRole('heading', { name: '两步验证' })).toBeNull();
    expect(screen.queryByLabelText('当前密码')).toBeNull();
  });

  test('is deleted after signing in again at the provider', async () => {
    const { user } = open(ofProvider);
    await screen.findByText(/在这里没有密码/);
    await user.click(screen.getByRole('button', { name: '删除账号…' }));
    await leadsToProvider();
  });

  test('is deleted after the return, without a password', async () => {
    const { user, calls } = open(
      { ...ofProvider, 'DELETE /admin/account': () => ({ code: 1, msg: '' }) },
      '/account?confirm=done',
    );
    await user.type(within(screen.getByRole('dialog')).getByLabelText(/输入用户名/), 'lin');
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '删除账号' }));
    await screen.findByRole('heading', { name: '咨询页' });
    expect(calls.at(-1)).toMatchObject({ method: 'DELETE', url: '/admin/account', body: {} });
  });

  test('is asked again if the provider has not confirmed it, or too long ago', async () => {
    const { user } = open(
      {
        ...ofProvider,
        'DELETE /admin/account': () => {
          throw failure(410, 'expired', '登录用时过长，请重新开始');
        },
      },
      '/account?confirm=done',
    );
    await user.type(within(screen.getByRole('dialog')).getByLabelText(/输入用户名/), 'lin');
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: '删除账号' }));
    await leadsToProvider();
    expect(within(screen.getByRole('dialog')).getByRole('alert')).toHaveTextContent('没能确认是您本人');
  });
});
