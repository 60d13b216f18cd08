import type { PendingChange } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { CommandFailure, Refused } from '../failure.ts';
import type { Say } from '../say.ts';
import { isErrorBody, unreachableMessage, whyUnanswered } from '../server-response.ts';

export type OpsClient = ReturnType<typeof createOpsClient>;

/** The change was stored, and another token must approve it. */
export class WaitsForApproval extends Error {
  override readonly name = 'WaitsForApproval';
  readonly change: PendingChange;

  constructor(change: PendingChange) {
    super(`the change ${change.id} waits for approval`);
    this.change = change;
  }
}

/** Timeout of a call in ms: a check fetches files from other origins and may take long. */
const ANSWER_MS = 120_000;

/**
 * Client of the server's /ops calls; `server` is its origin without a trailing slash. Each call rejects with `Refused`,
 * with `WaitsForApproval`, or with a `CommandFailure` if the server does not respond properly.
 */
export function createOpsClient(deps: { server: string; token: string; language: Language; say: Say }) {
  const { server, token, language, say } = deps;

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await send(method, path, body);
    const said = await readJson(answer);
    if (answer.status === 202 && isWaiting(said)) throw new WaitsForApproval(said.change);
    if (answer.ok && (said !== undefined || answer.status === 204)) return said as T;
    if (isErrorBody(said)) throw new Refused(answer.status, said);
    throw notADesk(answer);
  }

  async function send(method: string, path: string, body?: object): Promise<Response> {
    try {
      return await fetch(server + path, {
        method,
        headers: {
          Accept: 'application/json',
          'Accept-Language': language,
          Authorization: `Bearer ${token}`,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        // Redirects are not followed, so that the token is only sent to the given server.
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
    } catch (cause) {
      throw new CommandFailure(
        3,
        say(unreachableMessage(cause), { server, why: whyUnanswered(cause, ANSWER_MS) }),
        {
          error: 'unavailable',
        },
      );
    }
  }

  function notADesk(answer: Response): CommandFailure {
    const to = answer.headers.get('Location');
    const values = { server, status: answer.status, to: to ? new URL(to, server).origin : '' };
    return new CommandFailure(3, say(to ? 'redirected' : 'notADesk', values), { error: 'unavailable' });
  }

  return {
    server,
    get: <T>(path: string, query: Record<string, string | number | undefined> = {}) =>
      call<T>('GET', path + queryOf(query)),
    post: <T>(path: string, body: object) => call<T>('POST', path, body),
    patch: <T>(path: string, body: object) => call<T>('PATCH', path, body),
  };
}

function isWaiting(said: unknown): said is { change: PendingChange } {
  return typeof said === 'object' && said !== null && 'change' in said;
}

function queryOf(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    return undefined;
  }
}
