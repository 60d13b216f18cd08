import type { PageDesk } from 'api/contract/settings';
import { BehaviorSubject, skip } from 'rxjs';
import botUrl from '../avatars/bot.svg';
import userUrl from '../avatars/user.svg';
import type { HostServices, Http, HttpFailure, Language, ThemeChoice, Toast } from '../contract.ts';
import { createDesk } from '../desk/create-desk.ts';
import { createI18n } from '../i18n/create-i18n.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';
import { createOwnedStorage, GUEST } from '../storage/owned-storage.ts';
import { createToastStore } from '../toasts/toast-store.ts';
import { createUpdates } from '../updates/create-updates.ts';

type Config = Parameters<Http['request']>[0];

/** A request as received by the fake server. */
export interface Call {
  method: string;
  url: string;
  body: unknown;
  params: Record<string, unknown>;
  headers: Record<string, unknown>;
  signal: AbortSignal | undefined;
  /** Reports upload progress to the caller, if it asked for that. */
  sent?(loaded: number, total: number): void;
  /** Reports the response text received so far, if the caller asked for that. */
  received?(text: string): void;
}

/** Answers a call: the returned value is the body, a thrown value the failure. */
export type Answer = (call: Call) => unknown;

/** By method and path: 'POST /admin/login'. */
export type Answers = Record<string, Answer>;

export interface StandIns {
  services: HostServices;
  /** All calls and toasts so far, oldest first. */
  calls: Call[];
  toasts: Toast[];
  /** The toasts currently visible. */
  shown$: BehaviorSubject<readonly (Toast & { id: number })[]>;
  /** The content of `storage`. */
  kept: Map<string, string>;
  /** The owner of `storage`: 'guest' or 'user:<name>'. Follows the session; tests may also set it. */
  owner$: BehaviorSubject<string>;
  /** All reported errors, oldest first. */
  reported: unknown[];
  /** Whether there is an active `updates.hold()`. */
  isHeld$: BehaviorSubject<boolean>;
}

interface Options {
  /** A table, or one function for all calls. A call without an answer fails with 404 not_found. */
  answers?: Answers | Answer;
  language?: Language;
  token?: string;
  username?: string;
  owner?: string;
  /** What administrators have set; by default nothing. */
  desk?: PageDesk;
  /** Pass the `kept` of other services to simulate a reload. */
  kept?: Map<string, string>;
}

/**
 * Fake host services without host and server, for tests and for a remote's standalone page, never for a release. Language, storage and
 * toasts are the host's real ones; session, theme and HTTP are replaced.
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
  const keyValues = keepIn(kept);
  const i18n = createI18n({ keyValues, root: document.documentElement, preferred: options.language });
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
    storage: createOwnedStorage({ keyValues, owner: () => owner$.value, owner$: owner$.pipe(skip(1)) }).of(
      'alone',
    ),
    saved: {
      async read<T>(key: string) {
        const text = kept.get(`saved/${owner$.value}/${key}`);
        return text === undefined ? undefined : (JSON.parse(text) as { value: T; savedAt: number });
      },
      async save(key: string, value: unknown) {
        const at = `saved/${owner$.value}/${key}`;
        if (value === undefined) kept.delete(at);
        else kept.set(at, JSON.stringify({ value, savedAt: Date.now() }));
      },
    },
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
    desk: createDesk(options.desk, () => i18n.language$.value),
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

/** The two progress callbacks of axios, called as with the browser's XMLHttpRequest. */
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

function keepIn(kept: Map<string, string>): KeyValueStore {
  return {
    read: (key) => kept.get(key),
    write: (key, text) => Boolean(kept.set(key, text)),
    remove: (key) => void kept.delete(key),
    keys: () => [...kept.keys()],
  };
}

function ownerOf(username: string): string {
  return username ? `user:${username}` : GUEST;
}
