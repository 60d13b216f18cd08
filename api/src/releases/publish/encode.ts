import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import {
  ENCODINGS,
  type Encoding,
  encodedKey,
  isCompressible,
  isElsewhere,
  releaseKey,
} from '../data/release-keys.ts';

const toBrotli = promisify(brotliCompress);
const fromBrotli = promisify(brotliDecompress);
const toGzip = promisify(gzip);
const fromGzip = promisify(gunzip);

/** Compresses as much as possible: encoded once, served for years. */
export function encode(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(bytes, { level: 9 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return toBrotli(bytes, { params });
}

/** Returns undefined if `bytes` are not validly encoded or decode to more than `size` bytes. */
export async function decode(bytes: Buffer, encoding: Encoding, size: number): Promise<Buffer | undefined> {
  const options = { maxOutputLength: Math.max(size, 1) };
  try {
    return await (encoding === 'gzip' ? fromGzip(bytes, options) : fromBrotli(bytes, options));
  } catch {
    return undefined; // Corrupted: the caller uses the plain file.
  }
}

type Named = Pick<Release, 'name' | 'version'>;

/** Minimum size in bytes: below it the headers cost more than compression saves. */
const WORTH_ENCODING = 512;

/** The bytes of a release's file; undefined if missing or different from what was published. */
export async function readWhole(release: Named, file: ReleaseFile, files: FileStore) {
  const stored = await files.open(releaseKey(release, file.path));
  if (stored?.size !== file.size) return undefined;
  const bytes = await readStored(stored);
  return bytes && integrityOf(bytes) === file.integrity ? bytes : undefined;
}

export type EnsureEncoded = ReturnType<typeof createEncoder>;

/**
 * Returns a function that creates the compressed forms of a file that are worthwhile and are missing or
 * corrupted. Compressing takes about 3 s per MB, so each content is compressed once: forms that this function
 * made before, for any release, and those of the newest published releases are copied.
 */
export function createEncoder(deps: { store: CompositionStore; files: FileStore }) {
  const { store, files } = deps;
  let stored: Promise<Map<string, Stored>> | undefined;
  const made = new Map<string, Promise<Buffer>>();

  async function make(file: ReleaseFile, bytes: Buffer, encoding: Encoding): Promise<Buffer> {
    stored ??= newestFiles(store);
    const twin = (await stored).get(file.integrity);
    const copy = twin && (await intactForm(encodedKey(twin, twin.path, encoding), file, encoding, files));
    return copy ?? encode(bytes, encoding);
  }

  return async (release: Named, file: ReleaseFile, bytes: Buffer): Promise<void> => {
    await Promise.all(
      encodingsOf(file).map(async (encoding) => {
        const key = encodedKey(release, file.path, encoding);
        if (await intactForm(key, file, encoding, files)) return;
        const content = `${encoding} ${file.integrity}`;
        const form = made.get(content) ?? make(file, bytes, encoding);
        made.set(content, form);
        await files.put(key, await form);
      }),
    );
  };
}

type Stored = Named & { path: string };

/** Number of releases whose compressed forms are copied: enough for several remotes that share libraries. */
const NEWEST = 20;

/** The files of the newest published releases by integrity. */
async function newestFiles({ releases }: CompositionStore): Promise<Map<string, Stored>> {
  const found = await releases
    .find({ publishedAt: { $ne: null }, removed: null }, { name: 1, version: 1, base: 1, files: 1 })
    .sort({ publishedAt: -1, _id: -1 })
    .limit(NEWEST)
    .lean();
  return new Map(
    found
      .filter((release) => !isElsewhere(release))
      .flatMap(({ name, version, files }) =>
        files.map(({ integrity, path }) => [integrity, { name, version, path }] as const),
      ),
  );
}

export function keysOf(release: Named, file: ReleaseFile): string[] {
  const encoded = encodingsOf(file).map((encoding) => encodedKey(release, file.path, encoding));
  return [releaseKey(release, file.path), ...encoded];
}

function encodingsOf({ type, size }: ReleaseFile): readonly Encoding[] {
  return isCompressible(type) && size >= WORTH_ENCODING ? ENCODINGS : [];
}

/** The stored compressed form; undefined if it is missing or corrupted. */
async function intactForm(key: string, file: ReleaseFile, encoding: Encoding, files: FileStore) {
  const stored = await files.open(key);
  const bytes = stored && (await readStored(stored));
  const decoded = bytes && (await decode(bytes, encoding, file.size));
  return decoded && integrityOf(decoded) === file.integrity ? bytes : undefined;
}
