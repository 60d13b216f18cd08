import { userInfo } from 'node:os';
import type { PendingChange } from '../../../contract/compositions.ts';
import type { Language } from '../../../contract/language.ts';
import { createDeskRequests } from '../../desk-requests.ts';
import { assertSendable, type Environment, findToken, serverOf } from '../../desk-settings.ts';
import type { Say } from './format.ts';

export interface CommonOptions {
  server?: string;
  token?: string;
  author?: string;
  json?: boolean;
}

/** A client of the desk that the options name, and the token that it sends. */
export async function openDesk(
  options: CommonOptions,
  { env, say, language }: { env: Environment; say: Say; language: Language },
) {
  const server = serverOf(options, env, say);
  const token = await tokenOf(server, options, env, say);
  assertSendable(token.value, token.from, language);
  return { client: createOpsClient({ server, token: token.value, language, say }), token };
}

/** --token, OPS_TOKEN, or the token file, see `findToken`. */
export function tokenOf(server: string, { token }: CommonOptions, env: Environment, say: Say) {
  return findToken(server, { '--token': token, OPS_TOKEN: env.OPS_TOKEN }, { env }, (path, why) =>
    why === 'notLocal' ? say('noTokenForRemote', { server, path }) : say('noToken', { path, why: say(why) }),
  );
}

/** Author for the history: --author, else the current system user. */
export function authorOf({ author }: CommonOptions, env: Environment): string {
  return (author?.trim() || osUser() || env.USER || 'ops').slice(0, 100);
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user in a container may have no name.
    return '';
  }
}

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
  const request = createDeskRequests({ ...deps, timeoutMs: ANSWER_MS });

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const outcome = await request(method, path, body);
    if (outcome.failure) throw outcome.failure;
    const { said, status } = outcome;
    if (status === 202 && isWaiting(said)) throw new WaitsForApproval(said.change);
    return said as T;
  }

  return {
    server,
    get: <T>(path: string, query: Record<string, string | number | undefined> = {}) =>
      call<T>('GET', path + queryOf(query)),
    post: <T>(path: string, body: object = {}) => call<T>('POST', path, body),
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
