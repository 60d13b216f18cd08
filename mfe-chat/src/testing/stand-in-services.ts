import type { HostServices, Http, HttpFailure, Language, Messages, ThemeChoice, Toast } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

type Config = Parameters<Http['request']>[0];

/** One call as a stand-in server sees it. */
export interface Call {
  method: string;
  url: string;
  body: unknown;
  params: Record<string, unknown>;
  headers: Record<string, unknown>;
  signal: AbortSignal | undefined;
}

/** Answers a call: what it returns is the body, what it throws is the failure. */
export type Answer = (call: Call) => unknown;

export interface StandIns {
  services: HostServices;
  calls: Call[];
  toasts: Toast[];
  /** What `storage` holds, by owner and key. */
  kept: Map<string, unknown>;
  owner$: BehaviorSubject<string>;
}

interface Options {
  answer: Answer;
  language?: Language;
  username?: string;
  owner?: string;
  kept?: Map<string, unknown>;
  avatars?: HostServices['avatars'];
  /** Called for every toast, besides its being kept. */
  onToast?: (toast: Toast) => void;
}

/** Services as the host hands them over, without a host: for tests and for this remote's own page. */
export function createStandInServices(options: Options): StandIns {
  const calls: Call[] = [];
  const toasts: Toast[] = [];
  const token$ = new BehaviorSubject('');
  const username$ = new BehaviorSubject(options.username ?? '');
  const owner$ = new BehaviorSubject(options.owner ?? 'guest');
  const language$ = new BehaviorSubject<Language>(options.language ?? 'zh');
  const choice$ = new BehaviorSubject<ThemeChoice>('system');
  const kept = options.kept ?? new Map<string, unknown>();
  const keyOf = (key: string) => `${owner$.value}/${key}`;
  const forget = () => {
    token$.next('');
    username$.next('');
  };
  const services = {
    token$,
    session: {
      username$,
      signIn: (token: string, username: string) => {
        token$.next(token);
        username$.next(username);
      },
      signOut: async () => forget(),
      forget,
    },
    http: createStandInHttp(options.answer, calls),
    storage: {
      get: <T>(key: string) => kept.get(keyOf(key)) as T | undefined,
      set: (key: string, value: unknown) => void kept.set(keyOf(key), value),
      remove: (key: string) => void kept.delete(keyOf(key)),
      owner$,
    },
    toasts: {
      show: (toast: Toast) => {
        toasts.push(toast);
        options.onToast?.(toast);
        return () => undefined;
      },
    },
    i18n: {
      language$,
      translator:
        <M extends Messages>(words: { zh: M; en: { [K in keyof M]: string } }) =>
        (key: keyof M & string, values: Record<string, string | number> = {}) =>
          String(words[language$.value][key]).replace(/\{(\w+)\}/g, (whole, name) =>
            String(values[name] ?? whole),
          ),
      locale: () => (language$.value === 'zh' ? 'zh-CN' : 'en'),
    },
    theme: { choice$, choose: (choice: ThemeChoice) => choice$.next(choice) },
    avatars: options.avatars ?? { user: 'user.svg', bot: 'bot.svg' },
  } satisfies HostServices;
  return { services, calls, toasts, kept, owner$ };
}

/** A failed call, as the host's HTTP client rejects with it. */
export function failure(status: number, error: string, message: string, retryAfter?: number): HttpFailure {
  return Object.assign(new Error(message), { status, error, ...(retryAfter ? { retryAfter } : {}) });
}

function createStandInHttp(answer: Answer, calls: Call[]): Http {
  const send = async <T>(method: string, url: string, body: unknown, config: Config = {}) => {
    const headers = { ...(config.headers as Record<string, unknown>) };
    const signal = config.signal as AbortSignal | undefined;
    const call = { method, url, body, params: config.params ?? {}, headers, signal };
    calls.push(call);
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

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(failure(0, 'aborted', 'aborted'));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
