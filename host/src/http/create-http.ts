import type { AxiosAdapter, AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Http, HttpFailure } from '../contract.ts';
import type { LaterTranslate } from '../frame/frame-texts.ts';
import type { Transport } from './transport.ts';

/** The request of the guard, which handles its failures itself. */
const GUARD = '/admin/auth';

interface Options {
  /** The current token, '' for a guest. */
  token(): string;
  /** Message for a guest whose data is not found because the browser blocks cookies: the server then sees a new guest in every call. */
  guestLost?(): string | undefined;
  /** True if the server has already set the guest cookies. */
  isKnownGuest(): boolean;
  /** For Accept-Language. */
  locale(): string;
  t: LaterTranslate;
  /** Loads the texts of `t`. */
  loadTexts(): Promise<void>;
  /** Message for the case that even the HTTP client could not be loaded. */
  unreachable(): string;
  /** The current token is invalid. Called once, however many calls fail with it. */
  onSessionEnded(): void;
  /** Guests are not allowed. */
  onSignInRequired(): void;
  /** Called with the body of every successful GET that was sent with the current token. */
  onRead?(url: string, body: unknown): void;
  /** Replaces the browser's HTTP transport, for tests. */
  adapter?: AxiosAdapter;
}

export interface LazyHttp extends Http {
  /** Loads axios before the first call needs it. */
  warmUp(): void;
}

/**
 * The HTTP client of the page. Its implementation (axios, 20 KB) is loaded with the first call, because no visible content needs it. It
 * shows no toasts and does not navigate: it calls the callbacks.
 */
export function createHttp(options: Options): LazyHttp {
  let transport: Promise<Transport> | undefined;
  const load = () => {
    transport ??= Promise.all([
      import(/* webpackChunkName: "axios" */ './transport.ts'),
      options.loadTexts(),
    ]).then(
      ([{ createTransport }]) => createTransport(options),
      (cause) => {
        transport = undefined;
        const fields = { name: 'HttpFailure', status: 0, error: 'offline' };
        throw Object.assign(new Error(options.unreachable(), { cause }), fields);
      },
    );
    return transport;
  };

  /** Calls of a new visitor wait for the first response, because each call without its cookie would create another guest. */
  let firstGuestRequest: Promise<unknown> | undefined;
  const send = async <T>(config: AxiosRequestConfig, isGuest: boolean): Promise<AxiosResponse<T>> => {
    const transport = await load();
    while (firstGuestRequest && isGuest && !options.isKnownGuest()) await firstGuestRequest;
    if (!isGuest || options.isKnownGuest()) return transport.request<T>(config);
    // An aborted GET may still set cookies, even after the next call. So the first request is not aborted but awaited.
    const { signal, ...rest } = config;
    const isAwaited = signal?.aborted === false && config.method === 'get';
    const response = transport.request<T>(isAwaited ? rest : config);
    firstGuestRequest = response
      .catch(() => undefined)
      .then(() => {
        firstGuestRequest = undefined;
      });
    if (!isAwaited) return response;
    const abort = new Promise<void>((resolve) => signal.addEventListener?.('abort', () => resolve()));
    // Rejects like any aborted call.
    return Promise.race([response, abort.then(() => transport.request<T>(config))]);
  };

  const request = async <T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>> => {
    const headers = { ...bearer(options.token()), ...config.headers };
    const isCurrent = () => headers.Authorization === bearer(options.token()).Authorization;
    try {
      const response = await send<T>({ ...config, headers } as AxiosRequestConfig, !headers.Authorization);
      if (config.method === 'get' && isCurrent()) options.onRead?.(config.url ?? '', response.data);
      return response;
    } catch (thrown) {
      const failure = thrown as HttpFailure;
      // Only a call with the current token may end the session. When several calls fail together, the first one ends it, after which the
      // token is different.
      if (failure.status === 401 && isCurrent() && config.url !== GUARD) {
        if (failure.error === 'session_ended' && options.token()) options.onSessionEnded();
        if (failure.error === 'sign_in_required') options.onSignInRequired();
      }
      const lost = failure.status === 404 && !headers.Authorization ? options.guestLost?.() : undefined;
      if (lost) failure.message = lost;
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
    // A failure is ignored: the first real call loads it again.
    warmUp: () => void load().catch(() => undefined),
  };
}

function bearer(token: string): { Authorization?: string } {
  return token ? { Authorization: `Bearer ${token}` } : {};
}
