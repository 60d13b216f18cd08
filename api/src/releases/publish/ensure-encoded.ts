import { type FileStore, readStored } from '../../files/storage/file-store.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import { isCompressible } from '../data/media-type.ts';
import type { Release, ReleaseFile } from '../data/release.ts';
import { ENCODINGS, type Encoding, encodedKey, releaseKey } from '../data/release-keys.ts';
import { decode, encode } from './encode.ts';

type Named = Pick<Release, 'name' | 'version'>;

/** Minimum size in bytes: below it the headers cost more than compression saves. */
const WORTH_ENCODING = 512;

/** The bytes of a release's file; undefined if missing or different from what was published. */
export async function readWhole(
  release: Named,
  file: ReleaseFile,
  files: FileStore,
): Promise<Buffer | undefined> {
  const stored = await files.open(releaseKey(release, file.path));
  if (stored?.size !== file.size) return undefined;
  const bytes = await readStored(stored);
  return bytes && integrityOf(bytes) === file.integrity ? bytes : undefined;
}

/** Creates the compressed forms of a file that are worthwhile and are missing or corrupted. */
export async function ensureEncoded(
  release: Named,
  file: ReleaseFile,
  bytes: Buffer,
  files: FileStore,
): Promise<void> {
  await Promise.all(
    encodingsOf(file).map(async (encoding) => {
      const key = encodedKey(release, file.path, encoding);
      if (!(await isEncoded(key, file, encoding, files))) await files.put(key, await encode(bytes, encoding));
    }),
  );
}

/** Every storage key that belongs to the file. */
export function keysOf(release: Named, file: ReleaseFile): string[] {
  const encoded = encodingsOf(file).map((encoding) => encodedKey(release, file.path, encoding));
  return [releaseKey(release, file.path), ...encoded];
}

function encodingsOf({ type, size }: ReleaseFile): readonly Encoding[] {
  return isCompressible(type) && size >= WORTH_ENCODING ? ENCODINGS : [];
}

async function isEncoded(
  key: string,
  file: ReleaseFile,
  encoding: Encoding,
  files: FileStore,
): Promise<boolean> {
  const stored = await files.open(key);
  const bytes = stored && (await readStored(stored));
  const decoded = bytes && (await decode(bytes, encoding, file.size));
  return !!decoded && integrityOf(decoded) === file.integrity;
}
