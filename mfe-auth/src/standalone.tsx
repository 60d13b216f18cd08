import 'host/theme.css';
import type { SessionInfo } from 'api/contract';
import type { Screen, Toast } from 'host/contract';
import { createRoot } from 'react-dom/client';
import { Route, Routes } from 'react-router';
import { BrowserRouter, Link } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import AccountScreen from './account.tsx';
import LoginScreen from './login.tsx';
import TestFormScreen from './test-form.tsx';
import { StandInControls } from './testing/stand-in-controls.tsx';
import { type Call, createStandInServices } from './testing/stand-in-services.ts';
import { useStream } from './use-stream.ts';

/** This remote as a page of its own: its three screens over a server that lives in this file. Try anna with secret-1. */
const accounts = new Map([['anna', 'secret-1']]);
const now = new Date().toISOString();
let sessions: SessionInfo[] = [
  { id: 'here', current: true, device: 'Chrome · macOS', createdAt: now, lastUsedAt: now },
  {
    id: 'phone',
    current: false,
    device: 'Safari · iPhone',
    createdAt: '2026-10-30T07:12:00.000Z',
    lastUsedAt: '2026-11-19T21:40:00.000Z',
  },
];

const toast$ = new BehaviorSubject<Toast | null>(null);

const { services } = createStandInServices({
  username: 'anna',
  onToast: (toast) => toast$.next(toast),
  answers: {
    'POST /admin/login': ({ body }: Call) => {
      const { username, password } = body as { username: string; password: string };
      return accounts.get(username) === password ? granted() : refused('用户名或密码不正确');
    },
    'POST /admin/register': ({ body }: Call) => {
      const { username, password } = body as { username: string; password: string };
      if (accounts.has(username)) return refused('这个用户名已经有人用了');
      accounts.set(username, password);
      return granted();
    },
    'POST /admin/password': () => granted(),
    'GET /admin/sessions': () => ({ sessions, nextCursor: null }),
    'DELETE /admin/sessions/phone': () => {
      sessions = sessions.filter(({ id }) => id !== 'phone');
      return granted();
    },
    'DELETE /admin/sessions': () => granted(),
    'DELETE /admin/account': ({ body }: Call) =>
      (body as { password: string }).password === 'secret-1' ? granted() : refused('密码不正确'),
  },
});

function granted() {
  return { code: 1, msg: '', data: crypto.randomUUID() };
}

function refused(msg: string) {
  return { code: 0, msg };
}

function Alone() {
  const language = useStream(services.i18n.language$);
  const theme = useStream(services.theme.choice$);
  document.documentElement.dataset.theme = theme;
  const show = (Shown: Screen) => (
    <Shown services={services} language={language} controls={<StandInControls services={services} />} />
  );
  const toast = useStream(toast$);
  return (
    <BrowserRouter>
      {toast && (
        <section className="toasts" role="status">
          <div className={`toast ${toast.kind}`}>
            <p>{toast.text}</p>
          </div>
        </section>
      )}
      <Routes>
        <Route path="/login" element={show(LoginScreen)} />
        <Route path="/register" element={show(LoginScreen)} />
        <Route path="/test" element={show(TestFormScreen)} />
        <Route path="/account" element={show(AccountScreen)} />
        <Route path="*" element={<Contents />} />
      </Routes>
    </BrowserRouter>
  );
}

function Contents() {
  return (
    <main className="blank">
      <h1>mfe-auth</h1>
      {['/login', '/register', '/test', '/account'].map((path) => (
        <Link key={path} to={path}>
          {path}
        </Link>
      ))}
    </main>
  );
}

createRoot(document.getElementById('root')!).render(<Alone />);
