import { createHash } from 'node:crypto';
import { ApiError, notFound } from '../../errors/errors.ts';
import { isDiskFull } from '../../store/store-failure.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import { isElsewhere, releaseKey } from '../data/release-keys.ts';
import { readWhole } from './ensure-encoded.ts';
import type { PublishDeps } from './publish-release.ts';
import { createInlineMapFinder } from './source-maps.ts';

/** Interval at which the claim is renewed while a file is being received, in ms. */
const RENEW_INTERVAL_MS = 60_000;

/**
 * Stores the bytes of one file that a claimed release lists, if they match the declaration. If the file is
 * already stored and intact, nothing is read. So this may be repeated and called concurrently.
 * @param publisher The name of the token that was used. @throws notFound('release') if it is not claimed
 * or belongs to another remote; notFound('file') for an unlisted path; release_file;
 * release_inline_map.
 */
export async function receiveReleaseFile(
  id: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  deps: PublishDeps,
): Promise<void> {
  const release = await findClaimed(id, deps);
  const file = release.files.find((listed) => listed.path === path);
  if (!file) throw notFound('file');
  if (await readWhole(release, file, deps.files)) return;
  await renew(release, deps);
  const standsStill = async () => {
    const now = await deps.store.releases.findById(id, { digest: 1, removed: 1 }).lean<Release>();
    return now?.digest === release.digest && !now.removed;
  };
  try {
    await deps.files.put(releaseKey(release, path), checked(bytes, file, standsStill));
  } catch (cause) {
    throw isDiskFull(cause) ? new ApiError('disk_full') : cause;
  }
}

/** A release that accepts files: claimed, or published and to be repaired. @throws notFound('release') */
export async function findClaimed(id: string, { store }: Pick<PublishDeps, 'store'>): Promise<Release> {
  const release = await store.releases.findById(id).lean<Release>();
  if (!release || release.removed || isElsewhere(release)) throw notFound('release');
  return release;
}

/**
 * Passes the bytes through while they can still match the declaration. An error is thrown before their end,
 * so that the file store discards them; at their end the claim is checked again, since it may have been taken
 * over.
 */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  file: ReleaseFile,
  standsStill: () => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha384');
  const hasInlineMap = createInlineMapFinder(file.path);
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > file.size) throw new ApiError('release_file', { name: file.path });
    if (hasInlineMap(chunk)) throw new ApiError('release_inline_map', { name: file.path });
    hash.update(chunk);
    yield chunk;
  }
  if (`sha384-${hash.digest('base64')}` !== file.integrity)
    throw new ApiError('release_file', { name: file.path });
  if (!(await standsStill())) throw notFound('release');
}

async function renew({ _id, publishedAt, createdAt }: Release, { store, now }: PublishDeps): Promise<void> {
  if (publishedAt || now().getTime() - createdAt.getTime() < RENEW_INTERVAL_MS) return;
  await store.releases.updateOne({ _id, publishedAt: null, removed: null }, { $set: { createdAt: now() } });
}
