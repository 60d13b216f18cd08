import type { AdminReply } from 'api/contract/accounts';
import type { AxiosAdapter } from 'axios';
import { deskAddress } from 'host/ui/desk-address.ts';
import { hasCookies } from 'host/ui/has-cookies.ts';
import botUrl from './avatars/bot.svg';
import userUrl from './avatars/user.svg';
import type { HostServices } from './contract.ts';
import { createDesk } from './desk/create-desk.ts';
import { frameTexts, laterTexts } from './frame/frame-texts.ts';
import { createHttp } from './http/create-http.ts';
import { createI18n } from './i18n/create-i18n.ts';
import type { Composition } from './remotes/composition.ts';
import { createFallbackMemory } from './remotes/fallback-memory.ts';
import type { Federation } from './remotes/federation.ts';
import { createReleaseStyles } from './remotes/release-styles.ts';
import {
  createRemoteLoader,
  type RemoteFailure,
  type RemoteLoad,
  type RemoteShown,
} from './remotes/remote-loader.ts';
import { isFetchFailure } from './remotes/run-module.ts';
import { isForeignDomError } from './remotes/tolerate-translation.ts';
import { type OwnScreens, withOwnScreens } from './remotes/with-own-screens.ts';
import { createRouteTable, LOGIN, type ScreenId } from './routes.ts';
import { createConnection } from './session/connection.ts';
import { createGuard } from './session/guard.ts';
import { createMenuBadges } from './session/menu-badges.ts';
import { createOperator } from './session/operator.ts';
import {
  createSessionStore,
  SESSION_KEY,
  takeHandedSession,
  writeFormSession,
} from './session/session-store.ts';
import { createKeyValueStore } from './storage/key-value-store.ts';
import { createOwnedStorage } from './storage/owned-storage.ts';
import { createTheme } from './theme/create-theme.ts';
import { createToastStore } from './toasts/toast-store.ts';
import { createUpdates } from './updates/create-updates.ts';

/** Time limit of the request that checks whether the network is back, in ms. */
const PROBE_MS = 5000;

interface Options {
  page: Window;
  composition: Composition;
  federation: Federation;
  /** Default none. */
  own?: OwnScreens;
  report(failure: RemoteFailure): void;
  onLoad?(load: RemoteLoad): void;
  onShown?(shown: RemoteShown): void;
  /** Called with errors that a remote has caught and reported. */
  onError?(remote: string, version: string, error: unknown): void;
  /** Replaces the browser's HTTP transport, for tests. */
  adapter?: AxiosAdapter;
}

export type Shell = ReturnType<typeof createShell>;

/**
 * Creates and connects all parts of one page. The only place that decides what happens when a session ends and how it is reported. Applies
 * language and theme before it returns; `loadTexts` comes before the first render. The frame gets all of it from `ShellContext`.
 */
export function createShell({
  page,
  composition,
  federation,
  own = {},
  report: reportFailure,
  onLoad = () => undefined,
  onShown = () => undefined,
  onError = () => undefined,
  adapter,
}: Options) {
  const keyValues = createKeyValueStore(() => page.localStorage, {
    openForTab: () => page.sessionStorage,
    isVital: (key) => key === SESSION_KEY,
  });
  const root = page.document.documentElement;
  /** Whether the page was opened without the server. */
  const isSaved = root.dataset.savedAt !== undefined;
  const theme = createTheme({
    keyValues,
    root,
    cookies: page.document,
    prefersDark: page.matchMedia('(prefers-color-scheme: dark)'),
  });
  const i18n = createI18n({ keyValues, root, cookies: page.document, preferred: composition.language });
  const t = i18n.translator(frameTexts);
  // The same error may be reported several times: a failed chunk also rejects its import, which the remote may catch and report.
  const reported = new WeakSet<object>();
  const isNew = (error: unknown) =>
    !(error instanceof Error) || (!reported.has(error) && Boolean(reported.add(error)));
  const report = (failure: RemoteFailure) => {
    if (isNew(failure.error)) reportFailure(failure);
  };
  const remotes = createRemoteLoader({
    composition,
    federation,
    styles: createReleaseStyles(page.document),
    memory: createFallbackMemory(composition, () => page.sessionStorage, isSaved),
    language: () => i18n.language$.value,
    loadTexts: i18n.load,
    report,
    onLoad,
    onShown,
  });
  const { version } = composition.host;
  const loader = withOwnScreens(remotes, own, { version, loadTexts: i18n.load, report, onShown });
  const routes = createRouteTable(composition.routes ?? []);
  const toasts = createToastStore();
  const updates = createUpdates();
  const navigation = createNavigation();

  // Keeps drafts, because the visitor has not signed out.
  const endSession = (isGuard: boolean, wasSignedIn = true) => {
    session.forget();
    const text = t(wasSignedIn ? 'sessionEnded' : 'signInFirst');
    // The guard and another request may both find that the session has ended.
    if (!toasts.shown$.value.some((toast) => toast.text === text))
      toasts.show({ kind: wasSignedIn ? 'error' : 'info', text });
    navigation.go(LOGIN, { replace: isGuard });
  };

  const http = createHttp({
    guestLost: () => (hasCookies() ? undefined : t('cookiesBlocked')),
    isKnownGuest: () => document.cookie.includes('XSRF-TOKEN='),
    token: () => session.token$.value,
    locale: i18n.locale,
    t: i18n.translator(laterTexts),
    loadTexts: () => i18n.load(laterTexts),
    unreachable: () => t(page.navigator.onLine ? 'incomplete' : 'unreachable'),
    onSessionEnded: () => endSession(false),
    onSignInRequired: () => navigation.go(LOGIN),
    onRead: (url, body) => badges.read(url, body),
    ...(adapter ? { adapter } : {}),
  });

  const session = createSessionStore({
    keyValues,
    page,
    endOnServer: async (token) => {
      const headers = { Authorization: `Bearer ${token}` };
      const { data } = await http.post<AdminReply<{ url: string }>>('/admin/logout', undefined, { headers });
      return data.data?.url;
    },
    leave: (url) => page.location.assign(url),
    onUnstored: () => toasts.show({ kind: 'warning', text: t('unstored') }),
    onSignIn: (owner) => storage.adopt(owner),
    onSignOut: (owner) => storage.clear(owner),
  });
  const storage = createOwnedStorage({ keyValues, owner: session.owner, owner$: session.owner$ });

  const importSaved = () =>
    import(/* webpackChunkName: "saved" */ './offline/saved-content.ts').then(
      ({ createSavedContent }) => {
        const { owner, owner$ } = session;
        return createSavedContent({ isOn: composition.worker !== undefined, owner, owner$ });
      },
      () => undefined,
    );
  let saved: ReturnType<typeof importSaved> | undefined;
  /** What screens have saved for visits while the server cannot be reached; undefined if the code fails to load. */
  const openSaved = () => {
    saved ??= importSaved();
    return saved;
  };

  const handed = takeHandedSession(page.document);
  if (handed) session.signIn(handed.token, handed.username);

  session.token$.subscribe((token) => writeFormSession(page.document, token));

  const guard = createGuard({
    isSignedIn: () => session.token$.value !== '',
    authenticate: async () => (await http.post('/admin/auth')).data,
    onAllowed: session.setUsername,
    onRefused: (wasSignedIn) => endSession(true, wasSignedIn),
  });

  const reportOf = (remote: string) => (error: unknown) => {
    const isReported = error instanceof Error && reported.has(error);
    if (!isReported && !loader.whenLoaded(error)) {
      if (error instanceof Error && isFetchFailure(error)) loader.noteLateFailure(remote, 'import', error);
      else if (isNew(error) && !isForeignDomError(error)) onError(remote, loader.versionInUse(remote), error);
    }
    return loader.whenLoaded(error);
  };

  const connection = createConnection({
    page,
    isStored: isSaved,
    // Any response means that the network is back.
    probe: () =>
      fetch(deskAddress('/ops/live'), { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) }),
  });

  const { token$ } = session;
  const badges = createMenuBadges({ routes, token$, page, get: (url) => http.get(url) });
  const operator = createOperator(storage.of('host'));
  const avatars = { user: composition.avatars?.user ?? userUrl, bot: composition.avatars?.bot ?? botUrl };
  const desk = createDesk(composition.desk, () => i18n.language$.value);
  const shared = { token$, session, http, toasts, i18n, theme, avatars, updates, desk };
  const services = new Map<string, HostServices>();

  return {
    ...shared,
    /** The composition that this page was rendered with. */
    composition,
    routes,
    loader,
    navigation,
    t,
    guard,
    connection,
    badges,
    operator,
    openSaved,
    /** The services of a screen's remote: always the same object. */
    servicesOf(id: ScreenId): HostServices {
      const remote = id.slice(0, id.indexOf('/'));
      const provided = services.get(remote) ?? {
        ...shared,
        storage: storage.of(remote),
        saved: {
          read: async <T>(key: string) => (await openSaved())?.of(remote).read<T>(key),
          save: async (key: string, value: unknown) => (await openSaved())?.of(remote).save(key, value),
        },
        report: reportOf(remote),
      };
      services.set(remote, provided);
      return provided;
    },
    async loadTexts(): Promise<void> {
      await i18n.load(frameTexts);
      if (!token$.value && !hasCookies()) toasts.show({ kind: 'warning', text: t('cookiesBlocked') });
    },
    /** What the account may do, such as `administer`; nothing if the server cannot be asked. */
    rights: async (): Promise<readonly string[]> => {
      const reply = await http.get<{ rights: string[] }>('/api/settings/access').catch(() => undefined);
      return reply?.data.rights ?? [];
    },
    /** Reports that a part of the frame has thrown and was removed. */
    reportPart(expose: string, error: Error): void {
      if (!isForeignDomError(error)) report({ remote: 'host', version, expose, phase: 'render', error });
    },
    /** Loads a screen in advance, unless the browser is saving data. */
    prefetch(id: ScreenId): void {
      const { connection } = page.navigator as { connection?: { saveData?: boolean } };
      // Failures are ignored, because a visit loads the screen again and handles them.
      if (!connection?.saveData) loader.prefetch(id);
    },
  };
}

type Go = (path: string, options?: { replace?: boolean }) => void;

/** Navigation outside of React. What happens before the router is mounted is performed then. */
function createNavigation() {
  let attached: Go | undefined;
  let pending: Parameters<Go> | undefined;
  return {
    /** `path` is without the base. */
    go(...navigation: Parameters<Go>): void {
      if (attached) attached(...navigation);
      else pending = navigation;
    },
    attach(go: Go): void {
      attached = go;
      if (pending) go(...pending);
      pending = undefined;
    },
  };
}
