import { type FileStore, readStored } from '../files/file-store.ts';
import type { Release, ReleaseFile } from '../models/release.ts';
import { integrityOf } from './canonical-hash.ts';
import type { CompositionStore } from './composition-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { decode, encode } from './encode.ts';
import { isCompressible } from './media-type.ts';
import type { Build } from './read-build.ts';
import { ENCODINGS, type Encoding, encodedKey, releaseBase, releaseKey } from './release-keys.ts';

export interface PublishDeps {
  store: CompositionStore;
  files: FileStore;
  now: () => Date;
}

/** Below this many bytes the headers weigh more than what compression saves. */
const WORTH_ENCODING = 512;

/**
 * Publishes a build under its version, or, where that version stands with other content, under `<version>+<8 hex of its digest>`.
 * Nothing is overwritten. Published again, it writes nothing but files that have been lost or garbled since.
 *
 * Killed at any moment, it is finished by the next call: the name is claimed first, its files are written, and only then is it
 * marked as published. Several processes may publish the same build at once.
 */
export async function publishRelease(build: Build, deps: PublishDeps): Promise<Release> {
  const release =
    (await claim(build, build.version, deps)) ?? (await claim(build, addressedVersion(build), deps));
  if (!release) throw new Error(`${build.name}@${addressedVersion(build)} already stands with other content`);
  for (const file of release.files) await ensureFile(release, file, build, deps.files);
  if (release.publishedAt) return release;
  const publishedAt = deps.now();
  await deps.store.releases.updateOne({ _id: release._id, publishedAt: null }, { $set: { publishedAt } });
  return { ...release, publishedAt };
}

function addressedVersion({ version, digest }: Build): string {
  return `${version}${version.includes('+') ? '.' : '+'}${digest.slice(0, 8)}`;
}

/** The release of that name, made now if it was free; undefined when another build has it. */
async function claim(build: Build, version: string, deps: PublishDeps): Promise<Release | undefined> {
  const { store, now } = deps;
  const { contents: _, ...described } = build;
  const _id = `${build.name}@${version}`;
  const base = releaseBase({ name: build.name, version });
  const release: Release = {
    ...described,
    _id,
    version,
    base,
    createdAt: now(),
    publishedAt: null,
    publishedBy: 'start',
    removed: null,
  };
  const standing = await store.releases.findById(_id).lean<Release>();
  if (standing) return standing.digest === build.digest ? standing : undefined;
  try {
    await store.releases.create(release);
    return release;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return claim(build, version, deps);
  }
}

async function ensureFile(
  release: Release,
  file: ReleaseFile,
  build: Build,
  files: FileStore,
): Promise<void> {
  const bytes = build.contents.get(file.path)!;
  const key = releaseKey(release, file.path);
  const kept = await readKept(key, files);
  if (!kept?.equals(bytes)) await files.put(key, bytes);
  if (!isCompressible(file.type) || file.size < WORTH_ENCODING) return;
  await Promise.all(ENCODINGS.map((encoding) => ensureEncoded(release, file, bytes, encoding, files)));
}

async function ensureEncoded(
  release: Release,
  file: ReleaseFile,
  bytes: Buffer,
  encoding: Encoding,
  files: FileStore,
): Promise<void> {
  const key = encodedKey(release, file.path, encoding);
  const kept = await readKept(key, files);
  const decoded = kept && (await decode(kept, encoding, file.size));
  if (decoded && integrityOf(decoded) === file.integrity) return;
  await files.put(key, await encode(bytes, encoding));
}

async function readKept(key: string, files: FileStore): Promise<Buffer | undefined> {
  const file = await files.open(key);
  return file && readStored(file);
}
