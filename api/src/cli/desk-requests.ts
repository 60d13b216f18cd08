import { parseJson } from '../config/parse-json.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Language } from '../contract/language.ts';
import { certificateFailure } from '../errors/certificate-failure.ts';
import { fetchFailure } from '../http/read-response.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { CommandFailure } from './failure.ts';

interface DeskRequestDeps {
  /** Origin of the desk with its path, without a trailing slash. */
  server: string;
  token: string;
  language: Language;
  say(
    key: 'unreachable' | 'untrusted' | 'redirected' | 'notADesk',
    values: Record<string, string | number>,
  ): string;
  /** Timeout of one request, in ms. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Sends requests with a token to a desk, and explains failures other than its error responses. */
export function createDeskRequests({ server, token, language, say, timeoutMs, signal }: DeskRequestDeps) {
  return {
    send(method: string, path: string, body?: object | Buffer): Promise<Response> {
      const isBytes = Buffer.isBuffer(body);
      const timeout = AbortSignal.timeout(timeoutMs);
      return fetch(server + path, {
        method,
        headers: {
          Accept: 'application/json',
          'Accept-Language': language,
          Authorization: `Bearer ${token}`,
          ...(body ? { 'Content-Type': isBytes ? 'application/octet-stream' : 'application/json' } : {}),
        },
        ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
        // Redirects are not followed, so that the token is only sent to the given server.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    },
    /** The failure of a request without a response. A certificate that is not trusted is named as the cause. */
    unreachable(cause: unknown): CommandFailure {
      const key = certificateFailure(cause) ? 'untrusted' : 'unreachable';
      const values = { server, why: whyUnanswered(cause, timeoutMs) };
      return new CommandFailure(3, say(key, values), { error: 'unavailable' });
    },
    /** The failure of a request whose response no desk would send. */
    notADesk({ status, headers }: Response): CommandFailure {
      const to = headers.get('Location');
      const values = { server, status, to: to ? new URL(to, server).origin : '' };
      return new CommandFailure(3, say(to ? 'redirected' : 'notADesk', values), { error: 'unavailable' });
    },
  };
}

/** undefined if the body is no JSON. */
export async function readJson(response: Response): Promise<unknown> {
  return parseJson(await response.text());
}

/** Whether a response body is an error of the API, rather than of a proxy in front of it. */
export function isErrorBody(said: unknown): said is ErrorBody {
  const { error, msg } = (said ?? {}) as Partial<ErrorBody>;
  return typeof error === 'string' && typeof msg === 'string';
}

/** Why a fetch with the timeout `boundMs` failed. */
export function whyUnanswered(thrown: unknown, boundMs: number): string {
  return (thrown as Error).name === 'TimeoutError' ? `${boundMs / 1000} s` : fetchFailure(thrown);
}

/** Whether `server` is on this machine: the ops token in the local file must not be sent elsewhere. */
export function isThisMachine(server: string): boolean {
  const { hostname } = new URL(server);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Address of the desk without a trailing slash, with the path of its PUBLIC_URL: '/desk' of 'https://example.org/desk'; the address of one of its
 * pages is accepted. undefined if it is none.
 */
export function serverAddress(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin + url.pathname.replace(/(\/chatbot(\/.*)?|\/+)$/, '');
}

/**
 * Throws if `token` cannot be sent in a header, for example because of a line break. The message does not
 * quote the token, since it may be valid apart from that.
 * @param from where the token was found.
 */
export function assertSendable(token: string, from: string, language: Language): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new CommandFailure(2, textsOf('cli-usage')('unsendable_token', { from })(language), {
    error: 'ops_token_wrong',
  });
}
