import type { AxiosAdapter, AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Http, HttpFailure } from '../contract.ts';
import type { Line } from './connect.ts';

/** The guard's own question: its refusal is an answer, which the guard itself deals with. */
const GUARD = '/admin/auth';

interface Options {
  /** The token of this moment, '' for a guest. */
  token(): string;
  /** Whether the server has given this guest its cookies. */
  isKnownGuest(): boolean;
  /** For Accept-Language: 'zh-CN' or 'en'. */
  locale(): string;
  /** What is said when not even the client could be fetched. */
  unreachable(): string;
  /** The token of this moment is dead. Called once, however many calls fail by it. */
  onSessionEnded(): void;
  /** The desk turns guests away. */
  onSignInRequired(): void;
  /** Told of every body that a GET has brought, asked for by the token of this moment. */
  onRead?(url: string, body: unknown): void;
  /** Another way to the server than the browser's own. */
  adapter?: AxiosAdapter;
}

export interface LazyHttp extends Http {
  /** Fetches axios before the first call needs it. */
  warmUp(): void;
}

/**
 * The one HTTP client of the page. What it is made of (axios, 20 KB) comes with the first call, as nothing that a visitor sees
 * first needs it. It neither toasts nor navigates: it calls what it was given.
 */
export function createHttp(options: Options): LazyHttp {
  let line: Promise<Line> | undefined;
  const open = () => {
    line ??= import(/* webpackChunkName: "axios" */ './connect.ts').then(
      ({ connect }) => connect(options.locale, options.adapter),
      (cause) => {
        line = undefined;
        const facts = { name: 'HttpFailure', status: 0, error: 'offline' };
        throw Object.assign(new Error(options.unreachable(), { cause }), facts);
      },
    );
    return line;
  };

  /**
   * A stranger's calls wait for the first one's answer: each that goes out without a cookie makes a guest of its own, and only
   * the last of them would keep what it asked.
   */
  let introduction: Promise<unknown> | undefined;
  const send = async <T>(config: AxiosRequestConfig, isStranger: boolean): Promise<AxiosResponse<T>> => {
    const line = await open();
    while (introduction && isStranger && !options.isKnownGuest()) await introduction;
    if (!isStranger || options.isKnownGuest()) return line.request<T>(config);
    // A reading that is called off may bring its cookies all the same, later than those of the next call: it is waited for to its end.
    const { signal, ...rest } = config;
    const isWaitedFor = signal?.aborted === false && config.method === 'get';
    const answer = line.request<T>(isWaitedFor ? rest : config);
    introduction = answer
      .catch(() => undefined)
      .then(() => {
        introduction = undefined;
      });
    if (!isWaitedFor) return answer;
    const abort = new Promise<void>((resolve) => signal.addEventListener?.('abort', () => resolve()));
    // Rejects as every call does that is called off.
    return Promise.race([answer, abort.then(() => line.request<T>(config))]);
  };

  const request = async <T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>> => {
    const headers = { ...bearer(options.token()), ...config.headers };
    const isCurrent = () => headers.Authorization === bearer(options.token()).Authorization;
    try {
      const answer = await send<T>({ ...config, headers } as AxiosRequestConfig, !headers.Authorization);
      if (config.method === 'get' && isCurrent()) options.onRead?.(config.url ?? '', answer.data);
      return answer;
    } catch (thrown) {
      const failure = thrown as HttpFailure;
      // Only what was sent by the session of this moment may end it. Ten calls that fail together end it once, as after the
      // first there is another session, or none.
      if (failure.status === 401 && isCurrent() && config.url !== GUARD) judge(failure, options);
      throw failure;
    }
  };

  return {
    request,
    get: (url, config) => request({ ...config, method: 'get', url }),
    post: (url, data, config) => request({ ...config, method: 'post', url, data }),
    put: (url, data, config) => request({ ...config, method: 'put', url, data }),
    patch: (url, data, config) => request({ ...config, method: 'patch', url, data }),
    delete: (url, config) => request({ ...config, method: 'delete', url }),
    // A failure shows at the first real call, which tries again.
    warmUp: () => void open().catch(() => undefined),
  };
}

function bearer(token: string): { Authorization?: string } {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

function judge({ error }: HttpFailure, { token, onSessionEnded, onSignInRequired }: Options): void {
  if (error === 'session_ended' && token()) onSessionEnded();
  if (error === 'sign_in_required') onSignInRequired();
}
