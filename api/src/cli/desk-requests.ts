import { parseJson } from '../config/parse-json.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Language } from '../contract/language.ts';
import { certificateFailure } from '../errors/certificate-failure.ts';
import { fetchFailure } from '../http/read-response.ts';
import { CommandFailure, Refused } from './failure.ts';

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

/** What a desk answered; otherwise the failure, with the status of the response if there was one. */
type Outcome =
  | { said: unknown; status: number; failure?: undefined }
  | { failure: CommandFailure | Refused; status?: number; why: string; retryAfter: number };

/** undefined if the body is no JSON. */
const readJson = async (response: Response): Promise<unknown> => parseJson(await response.text());

/**
 * Returns a function that sends one request with a token to a desk. It never rejects: a failure is `Refused` with an error of the API, or
 * explains why there was no such response. `parse` converts a successful response, and returns undefined if a desk would not send it.
 */
export function createDeskRequests({ server, token, language, say, timeoutMs, signal }: DeskRequestDeps) {
  return async (
    method: string,
    path: string,
    body?: object | Buffer,
    parse: (response: Response) => Promise<unknown> = readJson,
  ): Promise<Outcome> => {
    const isBytes = Buffer.isBuffer(body);
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let said: unknown;
    try {
      response = await fetch(server + path, {
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
      said = await (response.ok ? parse : readJson)(response);
    } catch (cause) {
      const why = (cause as Error).name === 'TimeoutError' ? `${timeoutMs / 1000} s` : fetchFailure(cause);
      const text = say(certificateFailure(cause) ? 'untrusted' : 'unreachable', { server, why });
      return { failure: new CommandFailure(3, text, { error: 'unavailable' }), why, retryAfter: 0 };
    }
    const { ok, status, headers } = response;
    if (ok && (status === 204 || said !== undefined)) return { said, status };
    const retryAfter = Number(headers.get('Retry-After')) || 0;
    if (isErrorBody(said))
      return { failure: new Refused(status, said), status, why: `${status}`, retryAfter };
    const to = headers.get('Location');
    const values = { server, status, to: to ? new URL(to, server).origin : '' };
    const text = say(to ? 'redirected' : 'notADesk', values);
    const failure = new CommandFailure(3, text, { error: 'unavailable' });
    return { failure, status, why: `${status}`, retryAfter };
  };
}

/** Whether a response body is an error of the API, rather than of a proxy in front of it. */
function isErrorBody(said: unknown): said is ErrorBody {
  const { error, msg } = (said ?? {}) as Partial<ErrorBody>;
  return typeof error === 'string' && typeof msg === 'string';
}
