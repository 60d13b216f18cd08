import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import { type CompositionStore, publishedRelease } from '../data/composition-store.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import {
  ENCODINGS,
  type Encoding,
  encodedKey,
  releaseKey,
  SHARED_FOLDER,
  sharedBase,
} from '../data/release-keys.ts';
import { decode } from '../publish/encode.ts';
import { isSourceMap } from '../publish/source-maps.ts';

export interface SentFile {
  bytes: Buffer;
  encoding: Encoding | 'identity';
}

export type Damage = 'missing' | 'altered';

interface Kept {
  stamp: string;
  bytes: Buffer;
  isWhole: boolean;
}

/** Cache size for files of releases in bytes: enough for several compositions of this size. */
const CAPACITY = 32 * 1024 * 1024;

export type ReleaseReader = ReturnType<typeof createReleaseReader>;

/** Caches files; a changed or lost one is noticed at the next request, and `onDamage` called once. */
export function createReleaseReader(
  files: FileStore,
  onDamage: (key: string, how: Damage) => void = () => {},
) {
  const kept = new LRUCache<string, Kept>({
    maxSize: CAPACITY,
    sizeCalculation: ({ bytes }) => bytes.length || 1,
  });
  /** Keys of missing files; at most as many as releases list. */
  const missing = new Set<string>();

  async function load(
    key: string,
    isWhole: (bytes: Buffer) => Promise<boolean>,
    { isNeeded }: { isNeeded: boolean },
  ): Promise<Kept | undefined> {
    const stored = await files.open(key);
    if (!stored) {
      if (isNeeded && !missing.has(key)) onDamage(key, 'missing');
      if (isNeeded) missing.add(key);
      return undefined;
    }
    missing.delete(key);
    const known = kept.get(key);
    if (known?.stamp === stored.stamp) return known;
    const bytes = await readStored(stored);
    if (!bytes) return undefined;
    const entry = { stamp: stored.stamp, bytes, isWhole: await isWhole(bytes) };
    if (!entry.isWhole) onDamage(key, 'altered');
    kept.set(key, entry);
    return entry;
  }

  return {
    /**
     * The file in the first of the `accepted` encodings that exists and is intact, otherwise uncompressed.
     * undefined if the file is missing or corrupted: the server must check, since not every browser checks
     * integrity and none checks style sheets loaded later.
     */
    async read(
      release: Release,
      file: ReleaseFile,
      accepted: readonly Encoding[],
    ): Promise<SentFile | undefined> {
      const isFile = (bytes: Buffer | undefined) => !!bytes && integrityOf(bytes) === file.integrity;
      const plain = await load(releaseKey(release, file.path), async (bytes) => isFile(bytes), {
        isNeeded: true,
      });
      if (!plain?.isWhole) return undefined;
      for (const encoding of accepted) {
        const encoded = await load(
          encodedKey(release, file.path, encoding),
          async (bytes) => isFile(await decode(bytes, encoding, file.size)),
          { isNeeded: false },
        );
        if (encoded?.isWhole) return { bytes: encoded.bytes, encoding };
      }
      return { bytes: plain.bytes, encoding: 'identity' };
    },
  };
}

export interface ReleaseFilesDeps {
  store: CompositionStore;
  reader: ReleaseReader;
}

/**
 * A release's file that is opened as a document runs no scripts on any origin: permission to publish a
 * release (with an SVG, for example) does not give script access to the application's origin. JavaScript
 * opened directly is shown as text; a worker script takes its policy from this response.
 */
const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/** Number of cached release descriptions (immutable once published) and file locations. */
const CACHE_SIZE = 100;
const KNOWN_FILES = 2000;

/**
 * Handles GET and HEAD of one file of a release; `folder` is its version, or the folder shared by the
 * releases of the remote. Only paths listed in a release are read. Everything else, including a corrupted
 * file, stays 404 and uncached, so that a repaired file is served.
 */
export function createReleaseFileSender({ store, reader }: ReleaseFilesDeps) {
  const known = new LRUCache<string, Release>({ max: CACHE_SIZE });
  /** By URL: the release from which a shared file was last read. */
  const sources = new LRUCache<string, string>({ max: KNOWN_FILES });

  async function findRelease(id: string): Promise<Release | null> {
    const found = known.get(id);
    if (found) return found;
    const release = await publishedRelease(store, id);
    if (!release) return null;
    known.set(id, release);
    return release;
  }

  /** Releases with a file at that URL, equal in a shared folder, where others replace a lost one. */
  async function* releasesAt(name: string, folder: string, path: string): AsyncGenerator<Release> {
    const isShared = folder === SHARED_FOLDER;
    const id = isShared ? sources.get(sharedBase({ name }) + path) : `${name}@${folder}`;
    const release = id && (await findRelease(id));
    if (release) yield release;
    const listing = { name, base: sharedBase({ name }), 'files.path': path, publishedAt: { $ne: null } };
    if (isShared) yield* store.releases.find(listing).sort({ publishedAt: -1 }).lean().cursor();
  }

  return async (ctx: Context, name: string, folder: string, path: string): Promise<void> => {
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Cache-Control', 'no-store');
    // Source maps are only for operators, see resolve-stack.ts.
    if (isSourceMap(path)) return;
    const accepted = encodingsFor(ctx);
    for await (const release of releasesAt(name, folder, path)) {
      const file = release.files.find((listed) => listed.path === path);
      const sent = file && (await reader.read(release, file, accepted));
      if (!sent) continue;
      if (folder === SHARED_FOLDER) sources.set(release.base + path, release._id);
      return send(ctx, sent, file.type, file.integrity);
    }
  };
}

function send(ctx: Context, file: SentFile, type: string, integrity: string): void {
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', type.startsWith('text/javascript') ? SCRIPT_POLICY : FILE_POLICY);
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  sendEncoded(ctx, file, type, integrity.slice('sha384-'.length, 30));
}

/** The encodings that a client accepts, in our order of preference: browsers name gzip first although they accept smaller encodings. */
export const encodingsFor = (ctx: Context) =>
  ENCODINGS.filter((encoding) => ctx.acceptsEncodings(encoding, 'identity') === encoding);

/** Sends bytes in an encoding; only the status 304 if the client has them. */
export function sendEncoded(ctx: Context, { bytes, encoding }: SentFile, type: string, etag: string): void {
  ctx.status = 200;
  ctx.vary('Accept-Encoding');
  ctx.type = type;
  ctx.etag = `${etag}-${encoding}`;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = bytes;
}
