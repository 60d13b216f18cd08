import type { AxiosAdapter, AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Http, HttpFailure } from '../contract.ts';
import { toHttpFailure } from './http-failure.ts';
import type { HttpWord } from './http-words.ts';

/** The guard's own question: its refusal is an answer, which the guard itself deals with. */
const GUARD = '/admin/auth';

interface Options {
  /** The token of this moment, '' for a guest. */
  token(): string;
  /** For Accept-Language: 'zh-CN' or 'en'. */
  locale(): string;
  say(word: HttpWord): string;
  /** The token of this moment is dead. Called once, however many calls fail by it. */
  onSessionEnded(): void;
  /** The desk turns guests away. */
  onSignInRequired(): void;
  /** Another way to the server than the browser's own. */
  adapter?: AxiosAdapter;
}

export interface LazyHttp extends Http {
  /** Fetches axios before the first call needs it. */
  warmUp(): void;
}

/**
 * The one HTTP client of the page. axios (20 KB) comes with the first call, as nothing that a visitor sees first needs it.
 * It has no timeout, by the source. It neither toasts nor navigates: it calls what it was given.
 */
export function createHttp(options: Options): LazyHttp {
  let instance: Promise<AxiosInstance> | undefined;
  const open = () => {
    instance ??= connect(options).catch((error) => {
      instance = undefined;
      throw error;
    });
    return instance;
  };

  const request = async <T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>> => {
    const sent = bearer(options.token());
    const headers = { ...sent, 'Accept-Language': options.locale(), ...config.headers };
    try {
      return await (await open()).request<T>({ ...config, headers } as AxiosRequestConfig);
    } catch (thrown) {
      const failure = await toHttpFailure(thrown, options.say);
      // Only what was sent by the session of this moment may end it. Ten calls that fail together end it once, as after the
      // first there is another session, or none.
      const isCurrent = headers.Authorization === bearer(options.token()).Authorization;
      if (failure.status === 401 && isCurrent && config.url !== GUARD) judge(failure, options);
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

async function connect({ adapter }: Options): Promise<AxiosInstance> {
  const { default: axios } = await import(/* webpackChunkName: "axios" */ 'axios');
  return axios.create({
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
    ...(adapter ? { adapter } : {}),
  });
}

function bearer(token: string): { Authorization?: string } {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

function judge({ error }: HttpFailure, { token, onSessionEnded, onSignInRequired }: Options): void {
  if (error === 'session_ended' && token()) onSessionEnded();
  if (error === 'sign_in_required') onSignInRequired();
}
