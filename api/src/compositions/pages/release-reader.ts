import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { integrityOf } from '../canonical-hash.ts';
import { decode } from '../encode.ts';
import type { Release, ReleaseFile } from '../release.ts';
import { type Encoding, encodedKey, releaseKey } from '../release-keys.ts';

export interface ReleaseReader {
  /**
   * The file in the first of the `accepted` encodings that is there and whole, else as it is. undefined when the file is gone or
   * is not what was published: not every browser checks integrity, and none checks that of a late style sheet.
   */
  read(release: Release, file: ReleaseFile, accepted: readonly Encoding[]): Promise<SentFile | undefined>;
}

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

/** Bytes of releases kept in memory: several compositions of this size fit in. */
const CAPACITY = 32 * 1024 * 1024;

/**
 * Keeps what was read lately; a file that changed or went away in the store is noticed at the next request. `onDamage` hears the
 * key of a file that is missing or not as published, once for each change.
 */
export function createReleaseReader(
  files: FileStore,
  onDamage: (key: string, how: Damage) => void = () => {},
  capacity = CAPACITY,
): ReleaseReader {
  const kept = new Map<string, Kept>();
  /** Keys of files that are not there: at most as many as releases list. */
  const missing = new Set<string>();
  let size = 0;

  function forget(key: string): void {
    size -= kept.get(key)?.bytes.length ?? 0;
    kept.delete(key);
  }

  function keep(key: string, entry: Kept): void {
    forget(key);
    kept.set(key, entry);
    size += entry.bytes.length;
    for (const oldest of kept.keys()) {
      if (size <= capacity) return;
      forget(oldest);
    }
  }

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
    if (known?.stamp === stored.stamp) {
      keep(key, known);
      return known;
    }
    const bytes = await readStored(stored);
    if (!bytes) return undefined;
    const entry = { stamp: stored.stamp, bytes, isWhole: await isWhole(bytes) };
    if (!entry.isWhole) onDamage(key, 'altered');
    keep(key, entry);
    return entry;
  }

  return {
    async read(release, file, accepted) {
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
