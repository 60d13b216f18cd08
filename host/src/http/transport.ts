import axios, {
  type AxiosAdapter,
  type AxiosError,
  type AxiosRequestConfig,
  type AxiosResponse,
} from 'axios';
import { deskAddress } from 'host/ui/desk-address.ts';
import type { HttpFailure } from '../contract.ts';
import type { LaterTranslate } from '../frame/frame-texts.ts';

export type Transport = ReturnType<typeof createTransport>;

interface Options {
  /** For Accept-Language. */
  locale(): string;
  t: LaterTranslate;
  adapter?: AxiosAdapter;
}

/** The HTTP client with axios, a chunk that is loaded with the first call. */
export function createTransport({ locale, t, adapter }: Options) {
  // No timeout, as required by the specification.
  const instance = axios.create({
    baseURL: deskAddress(''),
    xsrfCookieName: 'XSRF-TOKEN',
    xsrfHeaderName: 'X-XSRF-TOKEN',
    ...(adapter ? { adapter } : {}),
  });
  return {
    /** Rejects with HttpFailure. */
    async request<T>(config: AxiosRequestConfig): Promise<AxiosResponse<T>> {
      const headers = { 'Accept-Language': locale(), ...config.headers };
      try {
        return await instance.request({ ...config, headers } as AxiosRequestConfig);
      } catch (thrown) {
        throw await toHttpFailure(thrown, t);
      }
    },
  };
}

/** Converts the errors of axios into the contract's HttpFailure. Any other thrown value counts as a missing response. */
async function toHttpFailure(thrown: unknown, t: LaterTranslate): Promise<HttpFailure> {
  const { code, response } = thrown as AxiosError;
  if (!response) {
    const error = code === 'ERR_CANCELED' || isAbort(thrown) ? 'aborted' : 'offline';
    return failure(t(`http.${error}`), { status: 0, error }, thrown);
  }
  const { status, headers } = response;
  const body = await readBody(response.data);
  const fallback = errorOf(status);
  const retryAfter = Number.parseInt(String(headers['retry-after'] ?? ''), 10);
  return failure(
    text(body.msg) ?? t(`http.${fallback}`),
    {
      status,
      error: text(body.error) ?? fallback,
      ...optional('field', text(body.field)),
      ...(isChoices(body.choices) ? { choices: body.choices } : {}),
      // Findings of a composition check, used by the host's own screen only.
      ...(Array.isArray(body.findings) ? { findings: body.findings } : {}),
      ...optional('requestId', text(body.requestId) ?? text(headers['x-request-id'])),
      ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    },
    thrown,
  );
}

function failure(message: string, fields: Omit<HttpFailure, keyof Error>, cause: unknown): HttpFailure {
  return Object.assign(new Error(message, { cause }), { name: 'HttpFailure' }, fields);
}

/** The error of a response without a body from the API, for example from a proxy. */
function errorOf(status: number) {
  if (status === 401) return 'sign_in_required';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 413) return 'too_large';
  if (status === 429) return 'rate_limited';
  return status >= 502 && status <= 504 ? 'unavailable' : 'failed';
}

/** Reads the error body, whatever response type the call requested: JSON, text, blob or stream. */
async function readBody(data: unknown): Promise<Record<string, unknown>> {
  try {
    const read =
      data instanceof Blob || data instanceof ReadableStream ? await new Response(data).text() : data;
    const body = typeof read === 'string' ? JSON.parse(read) : read;
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'CanceledError');
}

function isChoices(value: unknown): value is NonNullable<HttpFailure['choices']> {
  const isChoice = (one: unknown) =>
    typeof one === 'object' && one !== null && 'id' in one && 'name' in one && text(one.id) !== undefined;
  return Array.isArray(value) && value.length > 0 && value.every(isChoice);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}

function optional<K extends string>(key: K, value: string | undefined) {
  return value === undefined ? {} : { [key]: value };
}
