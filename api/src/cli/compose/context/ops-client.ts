import type { PendingChange } from '../../../contract/compositions.ts';
import type { Language } from '../../../contract/language.ts';
import { createDeskRequests, isErrorBody, readJson } from '../../desk-requests.ts';
import { Refused } from '../../failure.ts';
import type { Say } from '../../say.ts';

export type OpsClient = ReturnType<typeof createOpsClient>;

/** A body before it becomes JSON, which leaves undefined fields out. */
export type Sent<T> = {
  [Key in keyof T]: T[Key] | (object extends Pick<T, Key> ? undefined : never);
};

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
  const { server } = deps;
  const { send, unreachable, notADesk } = createDeskRequests({ ...deps, timeoutMs: ANSWER_MS });

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await send(method, path, body).catch((cause) => {
      throw unreachable(cause);
    });
    const said = await readJson(answer).catch(() => undefined);
    if (answer.status === 202 && isWaiting(said)) throw new WaitsForApproval(said.change);
    if (answer.ok && (said !== undefined || answer.status === 204)) return said as T;
    if (isErrorBody(said)) throw new Refused(answer.status, said);
    throw notADesk(answer);
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
  const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
