import { blobFolder, storedAt } from '../../files/blobs.ts';
import type { FileStore } from '../../files/storage/file-store.ts';
import { isElsewhere, releaseKey } from '../../releases/data/release-keys.ts';
import { type Documents, decode } from './documents.ts';
import type { SayDb } from './places.ts';

/** A file that documents refer to and that does not exist. `text` says whose it is. */
export interface MissingFile {
  file: string;
  text: string;
}

/**
 * The files that documents refer to and that do not exist: those of records, of the knowledge base, and of published
 * releases. In memory are the hashes of contents, and no documents.
 */
export async function* findMissingFiles(
  documents: Documents,
  files: FileStore,
  say: SayDb,
): AsyncGenerator<MissingFile> {
  const names = new Set((await documents.collections()).map(({ name }) => name));
  const read = async function* (name: string) {
    if (names.has(name)) for await (const bytes of documents.read(name)) yield decode(bytes);
  };
  const stored = new Set<string>();
  const missing = new Map<string, { key: string; isNamed: boolean }>();
  for await (const { _id, key } of read('blobs')) {
    if (await files.open(key)) stored.add(_id);
    else missing.set(_id, { key, isNamed: false });
  }
  /** The file that a holder lacks; undefined if its content exists. */
  const lackOf = (hash: string) => {
    if (stored.has(hash)) return undefined;
    const lack = missing.get(hash);
    if (lack) lack.isNamed = true;
    return { file: lack?.key ?? hash };
  };
  for await (const { name, recordId, blob } of read('uploads')) {
    const lack = lackOf(blob);
    if (lack) yield { ...lack, text: say('missingOfRecord', { ...lack, name, id: String(recordId) }) };
  }
  for await (const { title, blob, _id } of read('documents')) {
    const lack = blob ? lackOf(blob) : undefined;
    if (lack) yield { ...lack, text: say('missingOfDocument', { ...lack, name: title, id: String(_id) }) };
  }
  for (const { key: file, isNamed } of missing.values())
    if (!isNamed) yield { file, text: say('missingContent', { file }) };
  for await (const release of read('releases')) {
    if (!release.publishedAt || release.removed || isElsewhere(release as { base: string })) continue;
    for (const { path, size } of release.files as { path: string; size: unknown }[]) {
      const file = releaseKey(release as { name: string; version: string }, path);
      const found = await files.open(file);
      if (found?.size !== Number(size))
        yield { file, text: say('missingOfRelease', { file, id: String(release._id) }) };
    }
  }
}

/** Contents without an entry are removed by the server when they are this old, in ms. */
const graceMs = 3_600_000;

/** Sentences about content that nothing refers to. */
export async function* findLostFiles(
  documents: Documents,
  files: FileStore,
  say: SayDb,
): AsyncGenerator<string> {
  const keys = new Set<string>();
  for await (const bytes of documents.read('blobs')) keys.add(decode(bytes).key);
  for await (const key of files.list(blobFolder))
    if (!keys.has(key) && !(storedAt(key) > Date.now() - graceMs)) yield say('lostFile', { file: key });
}
