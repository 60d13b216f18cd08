import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type AxiosAdapter, AxiosError } from 'axios';
import { lazy, useEffect, useLayoutEffect, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { Link, useLocation } from 'react-router-dom';
import type { Screen, ScreenProps } from './contract.ts';
import { createShell, type Shell } from './create-shell.ts';
import { FramePart } from './frame/boundaries.tsx';
import { FrameFailed } from './frame/pages.tsx';
import { ShellContext } from './frame/shell.ts';
import type { RemoteFailure } from './remotes/remote-loader.ts';
import { Router } from './router.tsx';
import { SAMPLE_ROUTES } from './testing/sample-routes.ts';

type Entries = Record<string, (expose: string) => unknown>;
type Answers = Record<string, { status: number; body: unknown; after?: Promise<unknown> }>;

interface Scene {
  answers?: Answers;
  entries?: Entries;
  token?: string;
  /** Further fields of the page's composition. */
  composed?: Partial<Shell['composition']>;
  /** Enables StrictMode as in development, where React runs effects twice. */
  isStrict?: boolean;
  /** Modifies the services, to break a part of the frame. */
  change?(shell: Shell): Shell;
}

/** The real services over a table of remote entries and a table of API responses. */
function open(
  path: string,
  {
    answers = {},
    entries = {},
    token = '',
    isStrict = false,
    composed,
    change = (shell) => shell,
  }: Scene = {},
) {
  if (token) localStorage.setItem('__persist__user', JSON.stringify({ token, username: 'lin' }));
  const calls: string[] = [];
  const failures: RemoteFailure[] = [];
  const errors: unknown[][] = [];
  const adapter: AxiosAdapter = async (config) => {
    const call = `${config.method?.toUpperCase()} ${config.url}`;
    calls.push(`${call} ${config.headers.get('Authorization') ?? 'nobody'}`);
    const answer = answers[call];
    if (!answer) throw new AxiosError('unreachable', AxiosError.ERR_NETWORK, config);
    const { status, body: data, after } = answer;
    await after;
    const response = { data, status, statusText: '', headers: {}, config };
    if (status >= 400) throw new AxiosError('refused', AxiosError.ERR_BAD_REQUEST, config, null, response);
    return response;
  };
  const shell = createShell({
    page: window,
    composition: {
      id: 'c1',
      routes: SAMPLE_ROUTES,
      host: { version: '1.0.0' },
      remotes: {
        'mfe-auth': { version: '1.0.0', entry: 'auth' },
        'mfe-chat': { version: '2.0.0', entry: 'chat', previous: { version: '1.0.0', entry: 'chat-before' } },
        'mfe-records': { version: '1.3.1', entry: 'records' },
      },
      ...composed,
    },
    federation: {
      load: async ({ entry }, expose) => {
        const give = { ...HEALTHY, ...entries }[entry];
        return () => give?.(expose);
      },
      onLateFailure: () => undefined,
    },
    own: { 'host/./composition': () => import('./composition/composition-screen.tsx') },
    report: (failure) => failures.push(failure),
    onError: (...error) => errors.push(error),
    adapter,
  });
  const { container } = render(
    <ShellContext value={change(shell)}>
      <FramePart name="frame" fallback={<FrameFailed t={shell.t} />}>
        <MemoryRouter initialEntries={[path]}>
          <Router />
          <Place />
        </MemoryRouter>
      </FramePart>
    </ShellContext>,
    // The error boundary reports the error itself.
    { onCaughtError: () => undefined, reactStrictMode: isStrict },
  );
  return { shell, calls, failures, errors, address, container };
}

const address = { path: '', hash: '' };
function Place() {
  const { pathname, hash } = useLocation();
  Object.assign(address, { path: pathname, hash });
  return null;
}

function fail(): never {
  throw new Error('at render');
}

function ThrowsInEffect() {
  useEffect(fail, []);
  return <h1>never for long</h1>;
}

function ThrowsInLayoutEffect() {
  useLayoutEffect(fail, []);
  return <h1>never for long</h1>;
}

function Named({ name, controls }: ScreenProps & { name: string }) {
  const [count, setCount] = useState(0);
  return (
    <main id="main">
      <h1>{name}</h1>
      <button type="button" onClick={() => setCount(count + 1)}>
        {`${name} ${count}`}
      </button>
      <Link to="/register">slide</Link>
      {controls}
    </main>
  );
}
function Asking() {
  return (
    <main id="main">
      <h1>asking</h1>
      {/* biome-ignore lint/a11y/noAutofocus: as screens with a text field do */}
      <input aria-label="question" autoFocus />
    </main>
  );
}
const screens = new Map<string, Screen>();
const give = (name: string) => {
  const known = screens.get(name) ?? ((props) => <Named name={name} {...props} />);
  screens.set(name, known);
  return { default: known };
};
const HEALTHY: Entries = {
  auth: (expose) => give(`auth ${expose}`),
  chat: (expose) => give(`chat ${expose}`),
  records: (expose) => give(`records ${expose}`),
};
const known: Answers = { 'POST /admin/auth': { status: 200, body: { code: 1, data: { username: 'lin' } } } };
const ended = { status: 401, body: { code: 401, error: 'session_ended', msg: '登录过期，请重新登录' } };
const heading = (name: string) => screen.findByRole('heading', { name });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.title = '';
  window.scrollTo = () => undefined;
  window.matchMedia = () =>
    ({ matches: false, addEventListener: () => undefined }) as unknown as MediaQueryList;
});

test('the skip link leaves the fragment, which may belong to the screen', async () => {
  const { address } = open('/index#kept');
  await heading('chat ./chat');
  await userEvent.click(screen.getByRole('link', { name: '跳到正文' }));
  expect(screen.getByRole('main')).toHaveFocus();
  expect(address).toEqual({ path: '/index', hash: '#kept' });
});

test('/ redirects to /index', async () => {
  const { address, calls } = open('/');
  await heading('chat ./chat');
  expect(address.path).toBe('/index');
  expect(calls).toEqual([]);
});

test('/setup is the sign-in screen with the same fragment', async () => {
  const { address } = open('/setup#link=secret');
  await heading('auth ./login');
  expect(address).toEqual({ path: '/login', hash: '#link=secret' });
});

test.each([
  ['/login', 'auth ./login'],
  ['/register', 'auth ./login'],
  ['/test', 'auth ./test'],
  ['/index', 'chat ./chat'],
  ['/history', 'records ./history'],
  ['/report', 'records ./report'],
])('%s is reachable without the check', async (path, name) => {
  const { calls, address } = open(path);
  await heading(name);
  expect(address.path).toBe(path);
  expect(calls).toEqual([]);
});

test('keeps the state of the screen shared by /login and /register', async () => {
  const { address } = open('/login');
  await userEvent.click(await screen.findByRole('button', { name: 'auth ./login 0' }));
  await userEvent.click(screen.getByRole('link', { name: 'slide' }));
  expect(address.path).toBe('/register');
  expect(screen.getByRole('button', { name: 'auth ./login 1' })).toBeTruthy();
});

test('/login and /register are shown without the rail', async () => {
  open('/login');
  await heading('auth ./login');
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(screen.queryByRole('link', { name: '登录' })).toBeNull();
});

test.each(['/account', '/nowhere', '/history/5'])(
  '%s is guarded: failing it leads to /login',
  async (path) => {
    const { address, calls, shell } = open(path, { answers: { 'POST /admin/auth': ended }, token: 't1' });
    await heading('auth ./login');
    expect(address.path).toBe('/login');
    expect(calls).toEqual(['POST /admin/auth Bearer t1']);
    expect(shell.session.token$.value).toBe('');
    expect(localStorage.getItem('__persist__user')).toBeNull();
    const toasts = within(screen.getByRole('region', { name: '通知' })).getAllByRole('alert');
    expect(toasts.map(({ textContent }) => textContent)).toEqual(['登录过期，请重新登录']);
  },
);

test('asks the server even without a token', async () => {
  const { calls, address } = open('/account', {
    answers: { 'POST /admin/auth': { status: 401, body: { error: 'sign_in_required' } } },
  });
  await heading('auth ./login');
  expect(address.path).toBe('/login');
  expect(calls).toEqual(['POST /admin/auth nobody']);
  expect(screen.getByText('请先登录')).toBeTruthy();
  expect(screen.queryByText('登录过期，请重新登录')).toBeNull();
});

test('shows a guarded screen after the check has succeeded', async () => {
  const { calls } = open('/account', { answers: known, token: 't1' });
  await heading('auth ./account');
  expect(calls).toEqual(['POST /admin/auth Bearer t1']);
});

test('reports an unknown path and suggests a similar one', async () => {
  open('/reprot', { answers: known, token: 't1' });
  await heading('没有找到这一页');
  expect(screen.getByText('/chatbot/reprot')).toBeTruthy();
  expect(screen.getByRole('link', { name: '去报告' }).getAttribute('href')).toBe('/report');
  expect(document.title).toBe('没有找到这一页 · 咨询台');
});

test('keeps the token when the guard cannot reach the server, and retries on request', async () => {
  const answers: Answers = {};
  const { shell } = open('/account', { answers, token: 't1' });
  await heading('没能确认登录状态');
  expect(shell.session.token$.value).toBe('t1');
  Object.assign(answers, known);
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  await heading('auth ./account');
});

test('leaves a guarded screen when the session ends in another tab', async () => {
  const { address } = open('/account', { answers: known, token: 't1' });
  await heading('auth ./account');
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: '__persist__user', newValue: null }));
  });
  await heading('auth ./login');
  expect(address.path).toBe('/login');
});

test('the end of a session does not leave a public screen that was opened after a guarded one', async () => {
  const { shell, address } = open('/history', { token: 't', answers: known });
  await heading('records ./history');
  await userEvent.click(screen.getByRole('link', { name: '咨询' }));
  await heading('chat ./chat');
  act(() => shell.session.forget());
  expect(address.path).toBe('/index');
});

test('ends a session once that was rejected in a call of a screen, and keeps drafts', async () => {
  const { shell, address } = open('/index', { answers: { 'GET /api/conversations': ended }, token: 't1' });
  await heading('chat ./chat');
  const { http, storage } = shell.servicesOf('mfe-chat/./chat');
  storage.set('draft', 'half a question');
  await act(async () => {
    await Promise.allSettled([1, 2, 3].map(() => http.get('/api/conversations')));
  });
  await heading('auth ./login');
  expect(address.path).toBe('/login');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  act(() => shell.session.signIn('t2', 'lin'));
  expect(storage.get('draft')).toBe('half a question');
});

test('reports the end of a session once when a call and the guard find it', async () => {
  const response = Promise.withResolvers<void>();
  const { shell, address } = open('/account', {
    answers: { 'GET /api/knowledge': ended, 'POST /admin/auth': { ...ended, after: response.promise } },
    token: 't1',
  });
  await act(async () => {
    await shell.http.get('/api/knowledge').catch(() => undefined);
    response.resolve();
  });
  await heading('auth ./login');
  expect(address.path).toBe('/login');
  expect(screen.getAllByText('登录过期，请重新登录')).toHaveLength(1);
});

test('shows the previous release when the live one throws while rendering', async () => {
  const throwing = () => {
    throw new Error('at render');
  };
  const { failures } = open('/index', {
    entries: { chat: () => ({ default: throwing }), 'chat-before': () => give('chat before') },
  });
  await heading('chat before');
  expect(failures).toMatchObject([{ version: '2.0.0', phase: 'render' }]);
});

test.each<[string, Screen]>([
  ['an effect', ThrowsInEffect],
  ['a layout effect', ThrowsInLayoutEffect],
])('shows the previous release when the live one throws in %s of its first render', async (_, Throwing) => {
  const { failures } = open('/index', {
    entries: { chat: () => ({ default: Throwing }), 'chat-before': () => give('chat before') },
  });
  await heading('chat before');
  expect(failures).toMatchObject([{ version: '2.0.0', phase: 'render' }]);
});

test('a screen that throws while it unmounts does not affect the next one, and is reported', async () => {
  const reported: unknown[] = [];
  window.reportError = (error) => void reported.push(error);
  let isBroken = true;
  const leaving = () => {
    useEffect(
      () => () => {
        if (isBroken) throw new Error('at leave');
      },
      [],
    );
    return <h1>chat</h1>;
  };
  open('/index', { entries: { chat: () => ({ default: leaving }) } });
  await heading('chat');
  await userEvent.click(screen.getByRole('link', { name: '记录' }));
  await heading('records ./history');
  expect(reported).toEqual([new Error('at leave')]);
  isBroken = false;
  await userEvent.click(screen.getByRole('link', { name: '咨询' }));
  await heading('chat');
});

test('a suspended screen does not suspend the frame', async () => {
  const Never = lazy(() => new Promise<never>(() => {}));
  open('/index', { entries: { chat: () => ({ default: () => <Never /> }) } });
  await userEvent.click(await screen.findByRole('link', { name: '记录' }));
  await heading('records ./history');
});

test('reports an unavailable screen while the rest works, and opens it on retry', async () => {
  const entries: Entries = {
    records: () => {
      throw new Error('404');
    },
  };
  open('/history', { entries });
  await heading('记录暂时打不开');
  expect(screen.getByRole('alert').textContent).toContain('mfe-records@1.3.1');
  await userEvent.click(screen.getByRole('link', { name: '咨询' }));
  await heading('chat ./chat');
  await userEvent.click(screen.getByRole('link', { name: '记录' }));
  await heading('记录暂时打不开');
  entries.records = () => give('records back');
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  await heading('records back');
});

test('reports an unavailable screen that throws and has no previous release', async () => {
  let isBroken = true;
  const fickle = () => {
    if (isBroken) throw new Error('at render');
    return <h1>records healed</h1>;
  };
  open('/report', { entries: { records: () => ({ default: fickle }) } });
  await heading('报告暂时打不开');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  await heading('records healed');
});

test('updates title and focus and informs screen readers at navigation, but not on the first page', async () => {
  open('/index');
  await heading('chat ./chat');
  expect(document.title).toBe('咨询 · 咨询台');
  expect(document.activeElement).toBe(document.body);
  await userEvent.click(screen.getByRole('link', { name: '记录' }));
  await heading('records ./history');
  expect(document.title).toBe('记录 · 咨询台');
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect(screen.getByText('记录 · 咨询台').getAttribute('role')).toBe('status');
  expect(screen.getByRole('link', { name: '记录' }).getAttribute('aria-current')).toBe('page');
});

test('a screen that takes the focus itself keeps it', async () => {
  open('/index', { entries: { records: () => ({ default: Asking }) } });
  await heading('chat ./chat');
  await userEvent.click(screen.getByRole('link', { name: '报告' }));
  await heading('asking');
  await waitFor(() => expect(screen.getByText(/^报告 · /)).toHaveRole('status'));
  expect(screen.getByRole('textbox', { name: 'question' })).toHaveFocus();
});

test('changes rail and title to English when the language is switched', async () => {
  open('/index');
  await heading('chat ./chat');
  await userEvent.click(screen.getByRole('button', { name: 'EN: switch to English' }));
  expect(screen.getByRole('link', { name: 'Records' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
  expect(document.documentElement.lang).toBe('en');
  expect(document.title).toBe('Ask · Consultation desk');
});

test('does not render the screen when the frame changes', async () => {
  let renders = 0;
  const counting: Screen = ({ controls }) => {
    renders += 1;
    return (
      <>
        <h1>counting</h1>
        {controls}
      </>
    );
  };
  const { shell } = open('/index', { entries: { chat: () => ({ default: counting }) } });
  await heading('counting');
  const before = renders;
  act(() => {
    shell.toasts.show({ kind: 'info', text: 'a' });
    shell.session.signIn('t1', 'lin');
    shell.theme.toggle();
  });
  expect(screen.getByRole('button', { name: '账号：lin' })).toBeTruthy();
  expect(renders).toBe(before);
});

test('chooses a theme by keyboard, and returns to the system’s', async () => {
  const { shell } = open('/index');
  await heading('chat ./chat');
  const button = screen.getByRole('button', { name: '外观' });
  button.focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('menuitemradio', { name: '跟随系统', checked: true })).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(button).toHaveFocus();
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole('menuitemradio', { name: '跟随系统' }));
  expect(shell.theme.choice$.value).toBe('system');
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

// jsdom lacks this API.
const idle = {
  requestIdleCallback: (work: () => void) => setTimeout(work),
  cancelIdleCallback: clearTimeout,
};
beforeAll(() => void Object.assign(window, idle));
afterAll(() => {
  for (const name of Object.keys(idle)) Reflect.deleteProperty(window, name);
});

test.each([
  [true, ['账号与安全', '咨询台设置', '退出登录']],
  [false, ['账号与安全', '退出登录']],
])(
  'shows the name and logo of the desk; administrator %s: the account menu has %j',
  async (isAdministrator, names) => {
    const { calls } = open('/index', {
      answers: {
        'GET /api/settings/access': {
          status: 200,
          body: { rights: isAdministrator ? ['ask', 'administer'] : ['ask'] },
        },
      },
      token: 't1',
      composed: {
        routes: [
          ...SAMPLE_ROUTES,
          {
            path: '/settings',
            screen: 'mfe-auth/./login',
            guard: 'session',
            title: { zh: '设置', en: 'Settings' },
          },
        ],
        desk: { logoUrl: '/api/desk/logo?v=1', zh: { name: '<b>客服</b>' } },
      },
    });
    await heading('chat ./chat');
    expect(document.title).toBe('咨询 · <b>客服</b>');
    const home = screen.getByRole('link', { name: '<b>客服</b>首页' });
    expect(home.querySelector('img')?.getAttribute('src')).toBe('/api/desk/logo?v=1');
    await userEvent.click(screen.getByRole('button', { name: '账号：lin' }));
    const items = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    await waitFor(() => expect(calls).toEqual(['GET /api/settings/access Bearer t1']));
    await waitFor(() => expect(items()).toEqual(names));
  },
);

test('opens the account menu, moves by keyboard and signs out, which clears the drafts', async () => {
  const { shell, calls } = open('/index', {
    answers: { 'POST /admin/logout': { status: 200, body: { code: 1 } } },
    token: 't1',
  });
  await heading('chat ./chat');
  shell.servicesOf('mfe-chat/./chat').storage.set('draft', 'half a question');
  expect(JSON.stringify({ ...localStorage })).toContain('half a question');
  const button = screen.getByRole('button', { name: '账号：lin' });
  await userEvent.click(button);
  const items = within(screen.getByRole('menu')).getAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['账号与安全', '退出登录']);
  expect(document.activeElement).toBe(items[0]);
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(items[1]);
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
  await userEvent.click(button);
  await userEvent.click(screen.getByRole('menuitem', { name: '退出登录' }));
  await waitFor(() => expect(screen.getByText('已退出登录')).toBeTruthy());
  expect(shell.session.token$.value).toBe('');
  expect(JSON.stringify({ ...localStorage })).not.toContain('half a question');
  expect(calls).toEqual(['POST /admin/logout Bearer t1']);
  expect(screen.getByRole('link', { name: '登录' })).toBeTruthy();
});

test('reports a lost network in a live region that existed before', async () => {
  const { container } = open('/index');
  await heading('chat ./chat');
  const region = container.querySelector('.notice[role="status"]');
  expect(region?.textContent).toBe('');
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(region).toHaveTextContent('网络已断开。草稿留在本机，恢复后自动继续。5 秒后重试');
  expect(screen.getByRole('button', { name: '立即重试' })).toBeVisible();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(region?.textContent).toBe('');
});

test('toasts have role, z-index, action and dismissal', async () => {
  const { shell } = open('/index');
  await heading('chat ./chat');
  const region = screen.getByRole('region', { name: '通知' });
  const actions: string[] = [];
  act(() => {
    shell.toasts.show({
      kind: 'success',
      text: 'one',
      action: { label: '撤销', run: () => actions.push('undo') },
    });
    shell.toasts.show({ kind: 'warning', text: 'two' });
    shell.toasts.show({ kind: 'error', text: 'three' });
    shell.toasts.show({ kind: 'info', text: 'four' });
  });
  const lines = [...region.children] as HTMLElement[];
  expect(lines.map((line) => `${line.getAttribute('role')} ${line.style.zIndex}`)).toEqual([
    'status 2000',
    'alert 2001',
    'alert 2002',
    'status 2003',
  ]);
  await userEvent.click(within(region).getByRole('button', { name: '撤销' }));
  expect(actions).toEqual(['undo']);
  await userEvent.click(within(lines[1]!).getByRole('button', { name: '关闭提示' }));
  expect([...region.children].map((line) => line.querySelector('p')?.textContent)).toEqual(['three', 'four']);
});

test('toasts are in the open modal dialog, around which everything is inert, until it closes', async () => {
  const { shell } = open('/index');
  await heading('chat ./chat');
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  dialog.showModal();
  act(() => void shell.toasts.show({ kind: 'success', text: 'one' }));
  expect(dialog).toContainElement(await screen.findByText('one'));
  act(() => dialog.close());
  await waitFor(() => expect(dialog).toBeEmptyDOMElement());
  expect(screen.getByText('one')).toBeInTheDocument();
  dialog.remove();
});

test('Alt + Shift + U moves the focus to the newest toast; dismissing it restores the focus', async () => {
  const { shell } = open('/index');
  await heading('chat ./chat');
  screen.getByRole('link', { name: '报告' }).focus();
  act(() => {
    shell.toasts.show({ kind: 'success', text: 'one', action: { label: '撤销', run: () => undefined } });
    shell.toasts.show({ kind: 'success', text: 'two', action: { label: '恢复', run: () => undefined } });
  });
  await userEvent.keyboard('{Alt>}{Shift>}[KeyU]{/Shift}{/Alt}');
  expect(screen.getByRole('button', { name: '恢复' })).toHaveFocus();
  expect(screen.getByRole('button', { name: '恢复' })).toHaveAttribute('aria-keyshortcuts', 'Alt+Shift+U');
  await userEvent.keyboard('{Enter}');
  expect(screen.getByRole('link', { name: '报告' })).toHaveFocus();
  await userEvent.keyboard('{Alt>}{Shift>}[KeyU]{/Shift}{/Alt}');
  expect(screen.getByRole('button', { name: '撤销' })).toHaveFocus();
});

test('prefetches a screen when its link is hovered, unless the browser saves data', async () => {
  const loaded: string[] = [];
  const entries: Entries = {
    records: (expose) => {
      loaded.push(expose);
      return give(`records ${expose}`);
    },
  };
  const connection = { saveData: true };
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  open('/index', { entries });
  await heading('chat ./chat');
  await userEvent.hover(screen.getByRole('link', { name: '报告' }));
  expect(loaded).toEqual([]);
  connection.saveData = false;
  await userEvent.unhover(screen.getByRole('link', { name: '报告' }));
  await userEvent.hover(screen.getByRole('link', { name: '报告' }));
  await waitFor(() => expect(loaded).toEqual(['./report']));
  Reflect.deleteProperty(navigator, 'connection');
});

test('shows 知识 on the rail for signed-in users, with the number of questions for editors', async () => {
  const summary = { status: 200, body: { isEditor: true, unanswered: 120 } };
  const { shell, calls } = open('/index', { token: 't', answers: { 'GET /api/knowledge': summary } });
  await heading('chat ./chat');

  act(() => shell.badges.watch());
  expect(await screen.findByRole('link', { name: '知识 ，未答 99+ 个' })).toBeTruthy();
  expect(calls).toContain('GET /api/knowledge Bearer t');
  act(() => shell.session.forget());
  expect(screen.queryByRole('link', { name: /知识/ })).toBeNull();
});

test.each([
  [null, null],
  [0, '人工咨询'],
  [3, '人工咨询 ，待答复 3 个'],
])('shows 人工咨询 on the rail only to those for whom its number is known, here %s', async (count, name) => {
  const answers = {
    'GET /api/knowledge': { status: 200, body: { unanswered: 1 } },
    'GET /api/inbox/summary': { status: 200, body: { open: count, waiting: count } },
  };
  const { shell } = open('/index', { token: 't', answers });
  await heading('chat ./chat');
  expect(screen.queryByRole('link', { name: /人工咨询/ })).toBeNull();

  act(() => shell.badges.watch());
  expect(await screen.findByRole('link', { name: '知识 ，未答 1 个' })).toBeTruthy();
  if (name === null) expect(screen.queryByRole('link', { name: /人工咨询/ })).toBeNull();
  else expect(await screen.findByRole('link', { name })).toBeTruthy();
  act(() => shell.session.forget());
  expect(screen.queryByRole('link', { name: /人工咨询/ })).toBeNull();
});

test('/knowledge is checked first, and guests are redirected to sign in', async () => {
  const { address, calls } = open('/knowledge', { answers: { 'POST /admin/auth': ended } });
  await heading('auth ./login');
  expect(address.path).toBe('/login');
  expect(calls).toEqual(['POST /admin/auth nobody']);
});

test('shows 发布 on the rail once an ops token was entered in this browser, and loads its chunk after the check', async () => {
  const { shell, calls } = open('/index', { token: 't1', answers: known });
  await heading('chat ./chat');
  expect(screen.queryByRole('link', { name: '发布' })).toBeNull();
  act(() => shell.operator.note());
  await userEvent.click(screen.getByRole('link', { name: '发布' }));
  expect(await screen.findByRole('heading', { level: 1, name: '发布' })).toBeTruthy();
  expect(document.title).toBe('发布 · 咨询台');
  // Nothing responds to /ops/* here: the screen reports that, and the frame keeps working.
  expect((await screen.findByRole('alert')).textContent).toContain('发布信息暂时打不开');
  expect(calls).toContain('GET /ops/pointer Bearer t1');
  await userEvent.click(screen.getByRole('link', { name: '咨询' }));
  await heading('chat ./chat');
  act(() => shell.session.forget());
  expect(screen.queryByRole('link', { name: '发布' })).toBeNull();
});

/** A stream that throws when read. */
const broken = (): never => {
  throw new Error('broken part');
};
test.each<[string, (shell: Shell) => Shell]>([
  [
    'rail',
    (shell) => ({
      ...shell,
      badges: {
        ...shell.badges,
        get counts$() {
          return broken();
        },
      },
    }),
  ],
  [
    'controls',
    (shell) => ({
      ...shell,
      get theme() {
        return broken();
      },
    }),
  ],
])(
  'the screen works without the host’s %s after that has thrown, and the host is reported',
  async (name, change) => {
    const { failures } = open('/index', { change, token: 't1' });
    await heading('chat ./chat');
    await userEvent.click(screen.getByRole('button', { name: 'chat ./chat 0' }));
    expect(screen.getByRole('button', { name: 'chat ./chat 1' })).toBeVisible();
    expect(failures).toMatchObject([{ remote: 'host', version: '1.0.0', phase: 'render', expose: name }]);
  },
);

test('in development, a screen is also loaded and left once per visit', async () => {
  const { shell, failures } = open('/index', { isStrict: true });
  await heading('chat ./chat');
  await userEvent.click(screen.getByRole('link', { name: '记录' }));
  await heading('records ./history');
  act(() => shell.toasts.show({ kind: 'info', text: 'a text' }));
  expect(screen.getAllByText('a text')).toHaveLength(1);
  expect(failures).toEqual([]);
});

test('a toast that throws does not remove the others', async () => {
  const { shell, failures } = open('/index');
  await heading('chat ./chat');
  act(() => {
    shell.toasts.show({ kind: 'info', text: { not: 'a text' } as never });
    shell.toasts.show({ kind: 'info', text: 'a text' });
  });
  expect(within(screen.getByRole('region', { name: '通知' })).getByText('a text')).toBeVisible();
  expect(failures).toMatchObject([{ remote: 'host', expose: 'toast' }]);
});

test('a frame that throws shows a message with a reload button', async () => {
  const { failures } = open('/index', { change: (shell) => ({ ...shell, navigation: undefined as never }) });
  expect(await screen.findByRole('alert')).toHaveTextContent('页面出错了');
  expect(screen.getByRole('button', { name: '刷新' })).toBeVisible();
  expect(failures).toMatchObject([{ remote: 'host', expose: 'frame' }]);
});

test('assigns an error reported by a remote to the release in use, once', async () => {
  const { shell, errors, failures } = open('/index', {
    entries: { chat: fail, 'chat-before': () => give('chat ./chat') },
  });
  await heading('chat ./chat');
  const { report } = shell.servicesOf('mfe-chat/./chat');
  const error = new Error('caught');
  void report(error);
  void report(error);
  void report('a text');
  expect(errors).toEqual([
    ['mfe-chat', '1.0.0', error],
    ['mfe-chat', '1.0.0', 'a text'],
  ]);
  expect(failures).toHaveLength(1);
});

test.each([
  Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' }),
  new TypeError('Failed to fetch dynamically imported module: https://tickets.example/7.js'),
  new TypeError('error loading dynamically imported module: https://tickets.example/7.js'),
  new TypeError('Importing a module script failed.'),
])('shows the previous release when a remote reports a missing file: %s', async (error) => {
  const { shell, errors, failures } = open('/index', {
    entries: { 'chat-before': () => give('the chat before') },
  });
  await heading('chat ./chat');
  act(() => void shell.servicesOf('mfe-chat/./chat').report(error));
  await heading('the chat before');
  expect(errors).toEqual([]);
  expect(failures).toEqual([
    { remote: 'mfe-chat', version: '2.0.0', phase: 'load', expose: 'import', error },
  ]);
});

test('shows a message for a missing file without a previous release, and lets the remote import it again on retry', async () => {
  const { shell } = open('/history');
  await heading('records ./history');
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull();
  const imports: string[] = [];
  const { report } = shell.servicesOf('mfe-records/./history');
  act(() => {
    const error = new TypeError('Failed to fetch dynamically imported module: https://records.example/7.js');
    void report(error)?.then(() => imports.push('again'));
  });
  const retry = await screen.findByRole('button', { name: '重试' });
  expect(retry.closest('[role=status]')).toHaveTextContent('页面有一部分没有加载出来');
  expect(imports).toEqual([]);

  await userEvent.click(screen.getByRole('link', { name: '咨询' }));
  await heading('chat ./chat');
  expect(screen.queryByRole('button', { name: '重试' })).toBeNull();

  await userEvent.click(screen.getByRole('link', { name: '记录' }));
  await userEvent.click(await screen.findByRole('button', { name: '重试' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: '重试' })).toBeNull());
  expect(imports).toEqual(['again']);
});
