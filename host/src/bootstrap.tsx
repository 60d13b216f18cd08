/** The only wiring: everything else takes what it needs as arguments. */
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import botUrl from './avatars/bot.svg';
import userUrl from './avatars/user.svg';
import type { HostServices } from './contract.ts';
import { type Desk, DeskContext } from './frame/desk.ts';
import { frameWords } from './frame/frame-words.ts';
import { createNavigation } from './frame/navigation.ts';
import { createHttp } from './http/create-http.ts';
import { httpWords } from './http/http-words.ts';
import { createI18n } from './i18n/create-i18n.ts';
import { readComposition } from './remotes/composition.ts';
import { federation } from './remotes/federation.ts';
import { createRemoteLoader } from './remotes/remote-loader.ts';
import { Router } from './router.tsx';
import { BASE, isRoot, placeAt, type ScreenId } from './routes.ts';
import { createGuard } from './session/guard.ts';
import { createSessionStore } from './session/session-store.ts';
import { createKeep } from './storage/keep.ts';
import { createOwnedStorage } from './storage/owned-storage.ts';
import { createTheme } from './theme/create-theme.ts';
import { createToastStore } from './toasts/toast-store.ts';
import './theme.css';

/** How long the first paint waits for a screen that is as good as here. */
const FIRST_SCREEN_MS = 100;

const keep = createKeep(() => localStorage);
const root = document.documentElement;
const theme = createTheme({ keep, root, prefersDark: matchMedia('(prefers-color-scheme: dark)') });
const i18n = createI18n({ keep, root });

const composition = readComposition(document);
const loader = createRemoteLoader({
  composition,
  federation,
  report: ({ remote, version, phase, error }) =>
    console.warn(`${remote}@${version} failed at ${phase}: ${error.message}`),
});
const firstScreen = loadFirstScreen();

const say = i18n.translator(frameWords);
const toasts = createToastStore();
const navigation = createNavigation();

const endSession = (isGuard: boolean) => {
  session.forget();
  toasts.show({ kind: 'error', text: say('sessionEnded') });
  navigation.go('/login', { replace: isGuard });
};

const http = createHttp({
  token: () => session.token$.value,
  locale: i18n.locale,
  say: i18n.translator(httpWords),
  onSessionEnded: () => endSession(false),
  onSignInRequired: () => navigation.go('/login'),
});

const session = createSessionStore({
  keep,
  page: window,
  endOnServer: (token) =>
    http.post('/admin/logout', undefined, { headers: { Authorization: `Bearer ${token}` } }),
  onSignIn: (owner) => storage.adopt(owner),
  onSignOut: (owner) => storage.clear(owner),
});
const storage = createOwnedStorage({ keep, owner: session.owner, owner$: session.owner$ });

const guard = createGuard({
  ask: async () => (await http.post('/admin/auth')).data,
  onAllowed: session.learnName,
  onRefused: () => endSession(true),
});

const avatars = { user: composition.avatars?.user ?? userUrl, bot: composition.avatars?.bot ?? botUrl };
const services = new Map<string, HostServices>();

const desk: Desk = {
  session,
  toasts,
  i18n,
  theme,
  loader,
  navigation,
  avatars,
  say,
  guard,
  servicesOf(id) {
    const remote = id.slice(0, id.indexOf('/'));
    const known = services.get(remote);
    if (known) return known;
    const { token$ } = session;
    const made = { token$, session, http, storage: storage.of(remote), toasts, i18n, theme, avatars };
    services.set(remote, made);
    return made;
  },
  prefetch(id) {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (!connection?.saveData) ignoreFailure(loader.load(id));
  },
};

start();

/** The first screen is asked for before React has anything to do. */
function loadFirstScreen(): Promise<unknown> {
  const path = location.pathname.slice(BASE.length);
  const id: ScreenId | undefined = placeAt(isRoot(path) ? '/index' : path)?.screen;
  return id ? ignoreFailure(loader.load(id)) : Promise.resolve();
}

/** Whoever then needs the screen asks again, and deals with the failure. */
function ignoreFailure(work: Promise<unknown>): Promise<unknown> {
  return work.catch(() => undefined);
}

async function start(): Promise<void> {
  await Promise.race([firstScreen, new Promise((resolve) => setTimeout(resolve, FIRST_SCREEN_MS))]);
  const container = document.getElementById('root');
  if (!container) throw new Error('the page has no #root');
  // The boundary around a screen has reported what it caught.
  createRoot(container, { onCaughtError: () => undefined }).render(
    <DeskContext value={desk}>
      <BrowserRouter basename={BASE}>
        <Router />
      </BrowserRouter>
    </DeskContext>,
  );
  requestIdle(() => http.warmUp());
}

function requestIdle(work: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 2000);
}
