import { BehaviorSubject, skip } from 'rxjs';
import botUrl from '../avatars/bot.svg';
import userUrl from '../avatars/user.svg';
import type { HostServices, Http, HttpFailure, Language, ThemeChoice, Toast } from '../contract.ts';
import { createI18n } from '../i18n/create-i18n.ts';
import type { Keep } from '../storage/keep.ts';
import { createOwnedStorage, GUEST } from '../storage/owned-storage.ts';
import { createToastStore } from '../toasts/toast-store.ts';
import { createUpdates } from '../updates/create-updates.ts';

type Config = Parameters<Http['request']>[0];

/** One call as a stand-in server sees it. */
export interface Call {
  method: string;
  url: string;
  body: unknown;
  params: Record<string, unknown>;
  headers: Record<string, unknown>;
  signal: AbortSignal | undefined;
  /** Tells the caller how many bytes have gone out, where it asked to be told. */
  sent?(loaded: number, total: number): void;
  /** Tells the caller the answer's text as far as it has come, where it asked to be told. */
  received?(text: string): void;
}

/** Answers a call: what it returns is the body, what it throws is the failure. */
export type Answer = (call: Call) => unknown;

/** By 'POST /admin/login'. */
export type Answers = Record<string, Answer>;

export interface StandIns {
  services: HostServices;
  /** Every call and every toast so far, oldest first. */
  calls: Call[];
  toasts: Toast[];
  /** The toasts that would be on the page now. */
  shown$: BehaviorSubject<readonly (Toast & { id: number })[]>;
  /** What `storage` holds, as the browser would. */
  kept: Map<string, string>;
  /** Whose `storage` it is: 'guest' or 'user:<name>'. Follows the session; a test may change it alone. */
  owner$: BehaviorSubject<string>;
  /** Every error that was reported, oldest first. */
  reported: unknown[];
  /** Whether `updates` is held by anybody. */
  isHeld$: BehaviorSubject<boolean>;
}

interface Options {
  /** A table, or one function for all calls. A call that nothing answers fails with 404 not_found. */
  answers?: Answers | Answer;
  language?: Language;
  token?: string;
  username?: string;
  owner?: string;
  /** Given to a second set, it is what a reload finds. */
  kept?: Map<string, string>;
}

/**
 * Services as the host hands them over, without a host and without a server: for tests and for a remote's own page, never for a
 * release. Language, storage and toasts are the host's own; session, theme and HTTP stand in for it.
 */
export function createStandInServices(options: Options = {}): StandIns {
  const { answers = {}, token = '', username = '', owner = ownerOf(username), kept = new Map() } = options;
  const calls: Call[] = [];
  const toasts: Toast[] = [];
  const reported: unknown[] = [];
  const token$ = new BehaviorSubject(token);
  const username$ = new BehaviorSubject(username);
  const owner$ = new BehaviorSubject(owner);
  const choice$ = new BehaviorSubject<ThemeChoice>('system');
  const keep = keepIn(kept);
  const i18n = createI18n({ keep, root: document.documentElement });
  if (options.language === 'en') i18n.language$.next('en');
  const { shown$, show } = createToastStore();
  const updates = createUpdates();
  const enter = (nextToken: string, nextName: string) => {
    username$.next(nextName);
    owner$.next(ownerOf(nextName));
    token$.next(nextToken);
  };
  const forget = () => enter('', '');
  const services = {
    token$,
    session: { username$, signIn: enter, signOut: async () => forget(), forget },
    http: createStandInHttp(answers, calls),
    storage: createOwnedStorage({ keep, owner: () => owner$.value, owner$: owner$.pipe(skip(1)) }).of(
      'alone',
    ),
    toasts: {
      show: (toast: Toast) => {
        toasts.push(toast);
        return show(toast);
      },
    },
    i18n,
    theme: { choice$, choose: (choice: ThemeChoice) => choice$.next(choice) },
    avatars: { user: userUrl, bot: botUrl },
    updates,
    report(error: unknown) {
      reported.push(error);
      return undefined;
    },
  } satisfies HostServices;
  return { services, calls, toasts, reported, shown$, kept, owner$, isHeld$: updates.isHeld$ };
}

/** A failed call, as the host's HTTP client rejects with it. `retryAfter` is in seconds. */
export function failure(status: number, error: string, message: string, retryAfter?: number): HttpFailure {
  return Object.assign(new Error(message), { status, error, ...(retryAfter ? { retryAfter } : {}) });
}

function createStandInHttp(answers: Answers | Answer, calls: Call[]): Http {
  const answerTo = ({ method, url }: Call) =>
    typeof answers === 'function' ? answers : answers[`${method} ${url}`];
  const send = async <T>(method: string, url: string, body: unknown, config: Config = {}) => {
    const headers = { ...(config.headers as Record<string, unknown>) };
    const signal = config.signal as AbortSignal | undefined;
    const call = { method, url, body, params: config.params ?? {}, headers, signal, ...progressOf(config) };
    calls.push(call);
    const answer = answerTo(call);
    if (!answer) throw failure(404, 'not_found', `no stand-in answers ${method} ${url}`);
    const data = (await Promise.race([answer(call), aborted(signal)])) as T;
    return { data, status: 200, statusText: 'OK', headers: {}, config: config as never };
  };
  return {
    request: <T>(config: Config) =>
      send<T>((config.method ?? 'get').toUpperCase(), config.url ?? '', config.data, config),
    get: <T>(url: string, config?: Config) => send<T>('GET', url, undefined, config),
    post: <T>(url: string, body?: unknown, config?: Config) => send<T>('POST', url, body, config),
    put: <T>(url: string, body?: unknown, config?: Config) => send<T>('PUT', url, body, config),
    patch: <T>(url: string, body?: unknown, config?: Config) => send<T>('PATCH', url, body, config),
    delete: <T>(url: string, config?: Config) => send<T>('DELETE', url, config?.data, config),
  };
}

/** Axios's own two callbacks, as the browser's XMLHttpRequest has them called. */
function progressOf({ onUploadProgress, onDownloadProgress }: Config): Pick<Call, 'sent' | 'received'> {
  return {
    ...(onUploadProgress && {
      sent: (loaded, total) => onUploadProgress({ loaded, total, bytes: 0, lengthComputable: true }),
    }),
    ...(onDownloadProgress && {
      received: (responseText) => {
        const event = { target: { responseText } };
        onDownloadProgress({ loaded: responseText.length, bytes: 0, lengthComputable: false, event });
      },
    }),
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(failure(0, 'aborted', 'aborted'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function keepIn(kept: Map<string, string>): Keep {
  return {
    read: (key) => kept.get(key),
    write: (key, text) => void kept.set(key, text),
    remove: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}

function ownerOf(username: string): string {
  return username ? `user:${username}` : GUEST;
}
