import { LRUCache } from 'lru-cache';
import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import { type Encoding, encodedKey, releaseKey } from '../data/release-keys.ts';
import { decode } from '../publish/encode.ts';

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
