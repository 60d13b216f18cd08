import type { ReleaseClaim, ReleaseUpload } from '../../contract/releases.ts';
import { Refused } from '../failure.ts';
import { bytes as inBytes } from '../format-bytes.ts';
import type { ReleaseClient, ReleaseContext } from './release-client.ts';

export interface ReleaseToSend {
  upload: ReleaseUpload;
  /** The content of one of its files. */
  read(path: string): Promise<Buffer>;
}

export interface SentRelease {
  id: string;
  /** `healed`: it was already published, and lost files were restored. */
  status: 'published' | 'unchanged' | 'healed';
  publishedAt: string;
  sentFiles: number;
  sentBytes: number;
}

interface SendDeps extends Pick<ReleaseContext, 'say' | 'progress'> {
  client: ReleaseClient;
}

/** Maximum number of concurrent uploads. */
const atOnce = 4;
/** Rounds in which missing files are sent: another sender's cleanup may have removed them. */
const maxRounds = 3;

export async function sendRelease(release: ReleaseToSend, deps: SendDeps): Promise<SentRelease> {
  const { client, say, progress } = deps;
  const first = await client.claim(release.upload);
  let sentBytes = 0;
  let sentFiles = 0;
  let { missing } = first;
  for (let round = 1; ; round++) {
    sentBytes += await sendFiles(first.id, missing, release, deps);
    sentFiles += missing.length;
    if (first.publishedAt !== null && sentFiles === 0)
      return { id: first.id, status: 'unchanged', publishedAt: first.publishedAt, sentFiles, sentBytes };
    progress(say('finishing'));
    try {
      const { publishedAt } = await client.publish(first.id);
      const status = first.publishedAt === null ? 'published' : 'healed';
      return { id: first.id, status, publishedAt, sentFiles, sentBytes };
    } catch (cause) {
      if (!isIncomplete(cause) || round === maxRounds) throw cause;
      ({ missing } = await client.claim(release.upload));
    }
  }
}

/** Has the server check a self-hosted release and publish it. */
export async function registerRelease(
  upload: ReleaseUpload,
  address: string,
  { client, say, progress }: SendDeps,
): Promise<SentRelease> {
  const known = await client.find(`${upload.name}@${upload.version}`);
  progress(say('checkingAddress', { address }));
  const claim: ReleaseClaim = await client.claim({ ...upload, address });
  const publishedAt = claim.publishedAt ?? new Date().toISOString();
  const status = known?.publishedAt === publishedAt ? 'unchanged' : 'published';
  return { id: claim.id, status, publishedAt, sentFiles: 0, sentBytes: 0 };
}

/** Resolves to the number of bytes sent. */
async function sendFiles(
  id: string,
  missing: readonly string[],
  { upload, read }: ReleaseToSend,
  { client, say, progress }: SendDeps,
): Promise<number> {
  const sizes = new Map(upload.files.map(({ path, size }) => [path, size]));
  const size = missing.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  const there = sizes.size - missing.length;
  if (missing.length > 0)
    progress(say(there > 0 ? 'resuming' : 'sending', { there, count: missing.length, size: inBytes(size) }));
  const queue = [...missing];
  let done = 0;
  const sendNext = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const content = await read(path);
      await client.put(id, path, content);
      done += 1;
      progress(say('sent', { at: done, count: missing.length, path, size: inBytes(content.length) }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendNext));
  return size;
}

function isIncomplete(cause: unknown): boolean {
  return cause instanceof Refused && cause.status === 409 && cause.body.field === 'files';
}
