import { expect, test } from '@jest/globals';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Answers, createStandInServices, failure } from 'host/stand-ins';
import { MemoryRouter, Route, Routes } from 'react-router';
import { Link, useLocation } from 'react-router-dom';
import LoginScreen from './login.tsx';

function open(
  path: string,
  answers: Answers = {},
  language: 'zh' | 'en' = 'zh',
  signIn: { local: boolean; providers: { id: string; name: string }[] } | null = null,
) {
  const standIns = createStandInServices({ answers, language, ...(signIn && { desk: { signIn } }) });
  const login = <LoginScreen services={standIns.services} language={language} controls={null} />;
  render(
    <MemoryRouter initialEntries={[path]}>
      <Where />
      <Routes>
        <Route path="/login" element={login} />
        <Route path="/register" element={login} />
        <Route
          path="/index"
          element={
            <>
              <h1>咨询</h1>
              <Link to="/knowledge">去资料</Link>
            </>
          }
        />
        <Route path="/knowledge" element={<h1>资料</h1>} />
      </Routes>
    </MemoryRouter>,
  );
  return { ...standIns, user: userEvent.setup() };
}

function Where() {
  return <output aria-label="address">{useLocation().pathname}</output>;
}

const field = (panel: RegExp, label: string) =>
  within(screen.getByRole('form', { name: panel })).getByLabelText(label);

const address = () => screen.getByRole('status', { name: 'address' }).textContent;

test('trims both fields, stores the token and navigates to the consultation', async () => {
  const { services, calls, user } = open('/login', {
    'POST /admin/login': () => ({ code: 1, msg: '', data: 'token-1' }),
  });

  await user.type(field(/登录/, '用户名'), '  lin ');
  await user.type(field(/登录/, '密码'), ' secret-1 ');
  await user.click(screen.getByRole('button', { name: '登录' }));

  await screen.findByRole('heading', { name: '咨询' });
  expect(calls.map((call) => call.body)).toEqual([{ username: 'lin', password: 'secret-1' }]);
  expect(services.token$.value).toBe('token-1');
  expect(services.session.username$.value).toBe('lin');
});

test('signs in once, however often it is pressed', async () => {
  const held = Promise.withResolvers<object>();
  const { calls, user } = open('/login', { 'POST /admin/login': () => held.promise });
  await user.type(field(/登录/, '用户名'), 'lin');
  await user.type(field(/登录/, '密码'), 'secret-1{Enter}{Enter}');
  expect(calls).toHaveLength(1);
  held.resolve({ code: 1, msg: '', data: 'token-1' });
  await screen.findByRole('heading', { name: '咨询' });
});

test('shows the server’s message and keeps the input when it rejects', async () => {
  const { services, toasts, user } = open('/login', {
    'POST /admin/login': () => ({ code: 0, msg: '用户名或密码不正确' }),
  });

  await user.type(field(/登录/, '用户名'), 'lin');
  await user.type(field(/登录/, '密码'), 'wrong{Enter}');

  await waitFor(() => expect(toasts).toEqual([{ kind: 'error', text: '用户名或密码不正确' }]));
  expect(field(/登录/, '用户名')).toHaveValue('lin');
  expect(field(/登录/, '密码')).toHaveValue('wrong');
  expect(services.token$.value).toBe('');
  expect(address()).toBe('/login');
});

test('the rejected field is marked, says why and has the focus', async () => {
  let reply: object = { code: 0, msg: '用户名已被使用', field: 'username' };
  const { toasts, user } = open('/register', { 'POST /admin/register': () => reply });
  await user.type(field(/注册/, '用户名'), '陈立');
  await user.type(field(/注册/, '密码'), 'a-long-password{Enter}');
  await waitFor(() => expect(field(/注册/, '用户名')).toHaveFocus());
  expect(field(/注册/, '用户名')).toBeInvalid();
  expect(field(/注册/, '用户名')).toHaveAccessibleDescription('用户名已被使用');
  expect(toasts).toEqual([{ kind: 'error', text: '用户名已被使用' }]);

  reply = { code: 0, msg: '这个密码太常见', field: 'password' };
  await user.keyboard('{Enter}');
  await waitFor(() => expect(field(/注册/, '密码')).toHaveFocus());
  expect(field(/注册/, '密码')).toHaveAccessibleDescription('这个密码太常见');
  expect(field(/注册/, '用户名')).toBeValid();
});

test('a password can be shown', async () => {
  const { user } = open('/login');
  await user.type(field(/登录/, '密码'), 'secret');
  await user.click(screen.getByRole('button', { name: '显示字符' }));
  expect(field(/登录/, '密码')).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: '隐藏字符' }));
  expect(field(/登录/, '密码')).toHaveAttribute('type', 'password');
});

test('reports a failed call, which can be repeated', async () => {
  let attempts = 0;
  const { toasts, user } = open('/login', {
    'POST /admin/login': () => {
      attempts += 1;
      if (attempts === 1) throw failure(429, 'rate_limited', '请求太多，请稍后再试');
      return { code: 1, msg: '', data: 'token-2' };
    },
  });

  await user.click(screen.getByRole('button', { name: '登录' }));
  await waitFor(() => expect(toasts.at(-1)?.text).toBe('请求太多，请稍后再试'));
  await user.click(screen.getByRole('button', { name: '登录' }));

  await screen.findByRole('heading', { name: '咨询' });
});

test('does not treat success without a token as a sign-in', async () => {
  const { services, toasts, user } = open('/login', { 'POST /admin/login': () => ({ code: 1, msg: '' }) });

  await user.click(screen.getByRole('button', { name: '登录' }));

  await waitFor(() => expect(toasts.at(-1)?.kind).toBe('error'));
  expect(services.token$.value).toBe('');
  expect(address()).toBe('/login');
});

test.each([
  ['以访客身份咨询', '去资料', '/knowledge'],
  ['去注册', '用户名', '/register'],
])('ignores the response to a sign-in after the visitor pressed %s', async (way, next, path) => {
  let answer = (_: unknown) => {};
  const { services, user } = open('/login', {
    'POST /admin/login': () => new Promise((resolve) => (answer = resolve)),
  });
  await user.type(field(/登录/, '用户名'), 'lin');
  await user.click(screen.getByRole('button', { name: '登录' }));

  await user.click(screen.getByText(way));
  if (path === '/knowledge') await user.click(screen.getByRole('link', { name: next }));
  answer({ code: 1, msg: '', data: 'token-late' });

  await waitFor(() => expect(services.token$.value).toBe('token-late'));
  expect(address()).toBe(path);
});

test('sends one call for two presses', async () => {
  let answer = (_: unknown) => {};
  const { calls, user } = open('/login', {
    'POST /admin/login': () => new Promise((resolve) => (answer = resolve)),
  });

  const button = screen.getByRole('button', { name: '登录' });
  await user.click(button);
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.click(button);
  await user.type(field(/登录/, '密码'), '{Enter}');
  answer({ code: 1, msg: '', data: 'token' });

  await screen.findByRole('heading', { name: '咨询' });
  expect(calls).toHaveLength(1);
});

test('/register opens the sign-up panel, and the covered panel is inert', () => {
  open('/register');

  expect(screen.getByRole('form', { name: /注册/ })).not.toHaveAttribute('inert');
  expect(screen.queryByRole('button', { name: '登录' })).toBeNull();
  expect(screen.getAllByRole('form', { hidden: true })[0]).toHaveAttribute('inert');
  expect(screen.getByRole('button', { name: '去登录' })).toBeVisible();
});

test('signing up stores the token, opens the sign-in panel and copies the name', async () => {
  const { services, calls, toasts, user } = open('/login', {
    'POST /admin/register': () => ({ code: 1, msg: '', data: 'token-new' }),
  });

  await user.click(screen.getByRole('button', { name: '去注册' }));
  expect(address()).toBe('/register');
  expect(screen.getByRole('textbox', { name: '用户名' })).toHaveFocus();
  await user.keyboard(' wang ');
  await user.tab();
  await user.keyboard('long-secret{Enter}');

  await waitFor(() => expect(address()).toBe('/login'));
  expect(calls.map(({ url, body }) => [url, body])).toEqual([
    ['/admin/register', { username: 'wang', password: 'long-secret' }],
  ]);
  expect(services.token$.value).toBe('token-new');
  expect(toasts).toEqual([{ kind: 'success', text: '注册成功，请登录' }]);
  expect(screen.getByRole('textbox', { name: '用户名' })).toHaveValue('wang');
  expect(document.activeElement).toHaveAttribute('autocomplete', 'current-password');
});

test('sign-up shows its rules beside the fields, sign-in has none', () => {
  open('/register');

  expect(field(/注册/, '用户名')).toHaveAccessibleDescription('3–64 个字符，含汉字时至少 2 个');
  expect(field(/注册/, '密码')).toHaveAccessibleDescription('8–128 个字符');
  const signIn = screen.getAllByRole('form', { hidden: true })[0]!;
  expect(within(signIn).getByLabelText('密码')).not.toHaveAccessibleDescription();
});

test('password managers find names, autocomplete and a form to submit', () => {
  open('/login');

  const form = screen.getByRole('form', { name: /登录/ }) as HTMLFormElement;
  const fields = [...form.querySelectorAll('input')].map(({ name, autocomplete }) => [name, autocomplete]);
  expect(fields).toEqual([
    ['username', 'username webauthn'],
    ['password', 'current-password'],
  ]);
});

test('is translated to English, with the panel names of the specification', () => {
  open('/login', {}, 'en');

  expect(screen.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Continue as guest' })).toHaveAttribute('href', '/index');
});

test('shows no hint of a new version while a field is filled in', async () => {
  const { isHeld$, user } = open('/login');
  await user.type(field(/登录/, '用户名'), 'lin');
  await waitFor(() => expect(isHeld$.value).toBe(true));
  await user.clear(field(/登录/, '用户名'));
  await waitFor(() => expect(isHeld$.value).toBe(false));
});

const acme = { id: 'acme', name: 'Acme' };

test('offers single sign-on beside the form, or alone; the form of an emergency has its own address', async () => {
  open('/login', {}, 'zh', { local: true, providers: [acme, { id: 'bolt', name: 'Bolt' }] });
  const links = screen.getAllByRole('link', { name: /^使用 .* 登录$/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/admin/sso/acme/start',
    '/admin/sso/bolt/start',
  ]);
  expect(field(/登录/, '用户名')).toBeVisible();
  cleanup();

  open('/login', {}, 'zh', { local: false, providers: [acme] });
  expect(screen.getByRole('link', { name: '使用 Acme 登录' })).toBeVisible();
  expect(screen.queryByLabelText('密码')).toBeNull();
  expect(screen.queryByRole('button', { name: '去注册' })).toBeNull();
  cleanup();

  open('/login?local', {}, 'zh', { local: false, providers: [acme] });
  expect(field(/登录/, '密码')).toBeVisible();
  expect(screen.queryByRole('button', { name: '去注册' })).toBeNull();
});

test('says why a sign-in at a provider failed', () => {
  open('/login?sso=unavailable', {}, 'en', { local: true, providers: [acme] });
  expect(screen.getByRole('alert')).toHaveTextContent("This sign-in can't be reached right now");
});

test('links an existing account by its password', async () => {
  const { user, calls, services } = open(
    '/login?sso=link&name=lena',
    {
      'POST /admin/sso/link': ({ body }) =>
        (body as { password: string }).password === 'right'
          ? { code: 1, msg: '', data: { token: 'token-2', username: 'lena' } }
          : { code: 0, msg: '用户名或密码错误', field: 'password' },
    },
    'zh',
    { local: true, providers: [acme] },
  );
  const form = within(screen.getByRole('form', { name: '是您的账号吗？' }));
  await user.type(form.getByLabelText('lena 的密码'), 'wrong');
  await user.click(form.getByRole('button', { name: '关联并登录' }));
  expect(await form.findByText('用户名或密码错误')).toBeVisible();
  await user.clear(form.getByLabelText('lena 的密码'));
  await user.type(form.getByLabelText('lena 的密码'), 'right{Enter}');
  await screen.findByRole('heading', { name: '咨询' });
  expect(calls.at(-1)?.body).toEqual({ username: 'lena', password: 'right' });
  expect(services.token$.value).toBe('token-2');
});

test('asks for a code if the account to be linked has a second factor', async () => {
  const { user, calls } = open('/login?sso=link&name=lena', {
    'POST /admin/sso/link': ({ body }) =>
      (body as { code?: string }).code === '123456'
        ? { code: 1, msg: '', data: { token: 'token-2', username: 'lena' } }
        : { code: 0, msg: (body as { code?: string }).code ? '验证码不正确' : '请输入验证码', field: 'code' },
  });
  await user.type(screen.getByLabelText('lena 的密码'), 'right{Enter}');
  const code = await screen.findByLabelText('验证码');
  await waitFor(() => expect(code).toHaveFocus());
  await user.type(code, '000000');
  await user.click(screen.getByRole('button', { name: '关联并登录' }));
  expect(await screen.findByText('验证码不正确')).toBeVisible();
  await waitFor(() => expect(code).toHaveFocus());
  await user.clear(code);
  await user.type(code, '123456{Enter}');
  await screen.findByRole('heading', { name: '咨询' });
  expect(calls.at(-1)?.body).toEqual({ username: 'lena', password: 'right', code: '123456' });
});

test('or creates a new account', async () => {
  const { user, services } = open('/login?sso=link&name=lena', {
    'POST /admin/sso/create': () => ({ code: 1, msg: '', data: { token: 'token-3', username: 'lena-2' } }),
  });
  await user.click(screen.getByRole('button', { name: '不是，使用新账号' }));
  await screen.findByRole('heading', { name: '咨询' });
  expect(services.session.username$.value).toBe('lena-2');
});

test('a one-time link sets a password, and does not stay in the address', async () => {
  const { user, services, calls } = open('/login#link=secret', {
    'POST /admin/link': () => ({ username: 'lena' }),
    'POST /admin/link/use': ({ body }) =>
      (body as { password: string }).password.length < 8
        ? { code: 0, msg: '密码为 8 至 128 个字符', field: 'password' }
        : { code: 1, msg: '', data: { token: 'token-4', username: 'lena' } },
  });
  const form = within(await screen.findByRole('form', { name: '设置新密码' }));
  expect(await form.findByLabelText('用户名')).toHaveValue('lena');
  await user.type(form.getByLabelText('新密码'), 'short');
  expect(form.getByText('至少 8 个字符')).toBeVisible();
  await user.click(form.getByRole('button', { name: '保存并登录' }));
  expect(await form.findByText('密码为 8 至 128 个字符')).toBeVisible();
  await user.type(form.getByLabelText('新密码'), ' and now long');
  await user.click(form.getByRole('button', { name: '保存并登录' }));
  await screen.findByRole('heading', { name: '咨询' });
  expect(calls.at(-1)?.body).toEqual({ token: 'secret', username: 'lena', password: 'short and now long' });
  expect(services.token$.value).toBe('token-4');
});

test('the link of a new desk creates its administrator', async () => {
  open('/login#link=secret', { 'POST /admin/link': () => ({ username: null, isSetup: true }) });
  expect(await screen.findByRole('heading', { name: '创建管理员' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: '用户名' })).toHaveValue('');
  // Only the account created by the link becomes the administrator.
  expect(screen.queryByRole('button', { name: '去注册' })).toBeNull();
});

test('a link that was used says so and leads to the sign-in form', async () => {
  const { user } = open('/login#link=secret', {
    'POST /admin/link': () => {
      throw failure(410, 'expired', '这个链接已用过或已过期');
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('这个链接已用过或已过期');
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('一次性链接');
  await user.click(within(screen.getByRole('form')).getByRole('button', { name: '去登录' }));
  expect(await screen.findByRole('form', { name: /登录/ })).toBeVisible();
});

test('asks for a code after the password if the account has a second factor', async () => {
  let reply: object = { code: 0, msg: '验证码不正确', field: 'code', challenge: 'challenge-1' };
  const { services, calls, toasts, user } = open('/login', {
    'POST /admin/login': () => ({ code: 0, msg: '请输入验证码', field: 'code', challenge: 'challenge-1' }),
    'POST /admin/login/code': () => reply,
  });
  await user.type(field(/登录/, '用户名'), 'lin');
  await user.type(field(/登录/, '密码'), 'secret-1{Enter}');
  const code = await screen.findByLabelText('验证码');
  expect(code).toHaveFocus();
  expect(services.token$.value).toBe('');
  await user.type(code, '111111{Enter}');
  await waitFor(() => expect(code).toHaveAccessibleDescription('验证码不正确'));
  reply = { code: 1, msg: '', data: { token: 'token-1', username: 'Lin' } };
  await user.clear(code);
  await user.type(code, '222222{Enter}');
  await screen.findByRole('heading', { name: '咨询' });
  expect(calls.at(-1)?.body).toEqual({ challenge: 'challenge-1', code: '222222' });
  expect([services.token$.value, services.session.username$.value]).toEqual(['token-1', 'Lin']);
  expect(toasts).toEqual([]);
});

test('asks for the password again if the second step took too long', async () => {
  const { toasts, user } = open('/login', {
    'POST /admin/login': () => ({ code: 0, msg: '请输入验证码', field: 'code', challenge: 'challenge-1' }),
    'POST /admin/login/code': () => ({ code: 0, msg: '登录用时过长' }),
  });
  await user.type(field(/登录/, '用户名'), 'lin');
  await user.type(field(/登录/, '密码'), 'secret-1{Enter}');
  await user.type(await screen.findByLabelText('验证码'), '111111{Enter}');
  await waitFor(() => expect(toasts).toEqual([{ kind: 'error', text: '登录用时过长' }]));
  expect(field(/登录/, '密码')).toHaveValue('');
});

test('suggests passkeys in the user name field, and sends no request if the browser does not support this', async () => {
  const challenge = () => ({ challenge: 'AAAA' });
  const answers = { 'POST /admin/passkeys/sign-in/challenge': challenge };
  const { calls } = open('/login', answers);
  await screen.findByRole('form', { name: /登录/ });
  expect(calls).toEqual([]);
  cleanup();

  const asked: (CredentialRequestOptions & { signal: AbortSignal })[] = [];
  const get = (options: (typeof asked)[number]) => {
    asked.push(options);
    return new Promise((_, reject) => {
      options.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  };
  const isConditionalMediationAvailable = async () => true;
  Object.assign(globalThis, {
    PublicKeyCredential: Object.assign(() => undefined, { isConditionalMediationAvailable }),
  });
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
  try {
    const { user, toasts } = open('/login', answers);
    await waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]!.mediation).toBe('conditional');
    await user.click(screen.getByRole('button', { name: '使用通行密钥' }));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect([asked[0]!.signal.aborted, asked[1]!.mediation]).toEqual([true, undefined]);
    expect(toasts).toEqual([]);
  } finally {
    cleanup();
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    Reflect.deleteProperty(navigator, 'credentials');
  }
});
