import { setTimeout as wait } from 'node:timers/promises';
import type { PointerInfo } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import type {
  ReleaseClaim,
  ReleaseDetails,
  ReleaseFileInfo,
  ReleaseUpload,
} from '../../contract/releases.ts';
import { readAtMost } from '../../http/read-response.ts';
import type { Say } from '../../i18n/texts-of.ts';
import { createDeskRequests } from '../desk-requests.ts';
import { CommandFailure, Refused } from '../failure.ts';

export type SayRelease = Say<'cli-release'>;

/** The context shared by the parts of `release`. */
export interface ReleaseContext {
  language: Language;
  say: SayRelease;
  progress(text: string): void;
  signal: AbortSignal;
}

interface ReleaseClientDeps extends ReleaseContext {
  server: string;
  token: string;
  /** Waits between attempts, in ms. */
  pause?: ((ms: number) => Promise<unknown>) | undefined;
}

/** Timeout of one call, in ms: publishing compresses every file, and a self-hosted release is fetched. */
const callTimeoutMs = 300_000;
const tries = 5;

/** First delay in s; it doubles with each attempt. */
const firstPause = 1;
const maxPause = 30;

export type ReleaseClient = ReturnType<typeof createReleaseClient>;

/** Client of the server's publishing calls. Temporary failures are retried; every call is idempotent. */
export function createReleaseClient(deps: ReleaseClientDeps) {
  const { server, say, progress, signal } = deps;
  const request = createDeskRequests({ ...deps, timeoutMs: callTimeoutMs });
  let hasAnswered = false;
  const pause = deps.pause ?? ((ms: number) => wait(ms, undefined, { signal }));

  async function call<T>(...asked: Parameters<typeof request>): Promise<T> {
    for (let left = tries - 1, seconds = firstPause; ; left--, seconds *= 2) {
      const outcome = await request(...asked);
      hasAnswered ||= outcome.status !== undefined;
      if (!outcome.failure) return outcome.said as T;
      const { failure, status, why, retryAfter } = outcome;
      if (status === 413 && !(failure instanceof Refused))
        throw new CommandFailure(3, say('bodyRefused', { server }), { error: 'unavailable' });
      // If the server has never answered, the address is probably wrong.
      const isTemporary = status === undefined ? hasAnswered : [429, 502, 503, 504].includes(status);
      if (!isTemporary || left === 0 || signal.aborted) throw failure;
      const next = Math.min(maxPause, Math.max(seconds, retryAfter));
      progress(say('again', { what: `${asked[0]} ${asked[1]}`, why, seconds: next }));
      await pause(next * 1000);
    }
  }

  const releasePath = (id: string) => `/ops/releases/${encodeURIComponent(id)}`;
  const filePath = (id: string, path: string) =>
    `${releasePath(id)}/files/${path.split('/').map(encodeURIComponent).join('/')}`;

  async function find<T>(path: string): Promise<T | undefined> {
    try {
      return await call<T>('GET', path);
    } catch (cause) {
      if (cause instanceof Refused && cause.status === 404) return undefined;
      throw cause;
    }
  }

  return {
    claim: (upload: ReleaseUpload) => call<ReleaseClaim>('POST', '/ops/releases', upload),
    put: (id: string, path: string, bytes: Buffer) => call<void>('PUT', filePath(id, path), bytes),
    /** The upload of an existing release, to publish it elsewhere. */
    upload: (id: string) => call<ReleaseUpload>('GET', `${releasePath(id)}/upload`),
    /** The content of one of its files; at most `size` bytes are read. */
    read: (id: string, { path, size }: Pick<ReleaseFileInfo, 'path' | 'size'>) =>
      call<Buffer>('GET', filePath(id, path), undefined, (response) => readAtMost(response, size)),
    publish: (id: string) => call<ReleaseDetails>('POST', `${releasePath(id)}/publish`),
    /** undefined if it does not exist. */
    find: (id: string) => find<ReleaseDetails>(releasePath(id)),
    /** The host that visitors get; undefined if nothing is live. */
    async liveHost(): Promise<ReleaseDetails | undefined> {
      const pointer = await find<PointerInfo>('/ops/pointer');
      return pointer && find<ReleaseDetails>(releasePath(pointer.composition.host.release));
    },
  };
}
