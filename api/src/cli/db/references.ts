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
  /** The keys of missing contents by their hash. */
  const missing = new Map<string, string>();
  for await (const { _id, key } of read('blobs')) {
    if (await files.open(key)) stored.add(_id);
    else missing.set(_id, key);
  }
  const isLost = (hash: string) => !stored.has(hash);
  const named = new Set<string>();
  const keyOf = (hash: string) => {
    named.add(hash);
    return missing.get(hash) ?? hash;
  };
  // An upload is written before its content, and its record last: without a record, its request is in progress or was interrupted.
  const lost = new Map<string, { name: string; blob: string }[]>();
  for await (const { name, recordId, blob } of read('uploads'))
    if (isLost(blob)) lost.set(String(recordId), [...(lost.get(String(recordId)) ?? []), { name, blob }]);
  if (lost.size > 0)
    for await (const { _id, versionOf } of read('records'))
      for (const id of [String(_id), String(versionOf?.recordId)]) {
        for (const { name, blob } of lost.get(id) ?? []) {
          const file = keyOf(blob);
          yield { file, text: say('missingOfRecord', { file, name, id }) };
        }
        lost.delete(id);
      }
  for await (const { title: name, blob, _id } of read('documents'))
    if (blob && isLost(blob)) {
      const file = keyOf(blob);
      yield { file, text: say('missingOfDocument', { file, name, id: String(_id) }) };
    }
  for (const [hash, file] of missing)
    if (!named.has(hash)) yield { file, text: say('missingContent', { file }) };
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
