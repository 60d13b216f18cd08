import type { HostServices, Http, HttpFailure, Language, Messages, ThemeChoice, Toast } from 'host/contract';
import { BehaviorSubject } from 'rxjs';

type Config = Parameters<Http['request']>[0];

/** One call as a stand-in server sees it. */
export interface Call {
  method: string;
  url: string;
  body: unknown;
  params: Record<string, unknown>;
}

/** Answers by 'POST /admin/login'. What it returns is the body; what it throws is the failure. */
export type Answers = Record<string, (call: Call) => unknown>;

export interface StandIns {
  services: HostServices;
  calls: Call[];
  toasts: Toast[];
}

interface Options {
  language?: Language;
  token?: string;
  username?: string;
  answers?: Answers;
  /** Called for every toast, besides its being kept. */
  onToast?: (toast: Toast) => void;
}

/** Services as the host hands them over, without a host: for tests and for this remote's own page. */
export function createStandInServices(options: Options = {}): StandIns {
  const calls: Call[] = [];
  const toasts: Toast[] = [];
  const token$ = new BehaviorSubject(options.token ?? '');
  const username$ = new BehaviorSubject(options.username ?? '');
  const language$ = new BehaviorSubject<Language>(options.language ?? 'zh');
  const choice$ = new BehaviorSubject<ThemeChoice>('system');
  const kept = new Map<string, unknown>();
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
    http: createHttp(options.answers ?? {}, calls),
    storage: {
      get: <T>(key: string) => kept.get(key) as T | undefined,
      set: (key: string, value: unknown) => void kept.set(key, value),
      remove: (key: string) => void kept.delete(key),
      owner$: username$,
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
    avatars: { user: '', bot: '' },
  } satisfies HostServices;
  return { services, calls, toasts };
}

/** A failed call, as the host's HTTP client rejects with it. */
export function failure(status: number, error: string, message: string): HttpFailure {
  return Object.assign(new Error(message), { status, error });
}

function createHttp(answers: Answers, calls: Call[]): Http {
  const send = async <T>(method: string, url: string, body: unknown, config: Config = {}) => {
    const call = { method, url, body, params: config.params ?? {} };
    calls.push(call);
    const answer = answers[`${method} ${url}`];
    if (!answer) throw failure(404, 'not_found', `nothing answers ${method} ${url}`);
    const data = (await answer(call)) as T;
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
