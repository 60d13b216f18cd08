import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { parseJson } from '../../config/parse-json.ts';
import { createDiskFileStore } from '../../files/storage/disk-file-store.ts';
import { recordsVersion } from '../../records/upgrade-records.ts';
import { CommandFailure } from '../failure.ts';
import { checksumOf, type Documents, folderDocuments } from './documents.ts';
import { copyFiles, hashOf } from './files.ts';
import { openSnapshot, type SayDb, type StoreConfig } from './places.ts';
import { findMissingFiles, type MissingFile } from './references.ts';
import { type Copied, copyCollection } from './transfer.ts';

/** Written last; `sums` is the SHA-256 of SHA256SUMS, which lists every other file of the backup. */
const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  store: z.enum(['embedded', 'mongodb']),
  /** Schema version of the records, see `upgradeRecords`. */
  recordsVersion: z.int(),
  collections: z.array(z.object({ name: z.string(), count: z.int(), sha256: z.string() })),
  files: z.int(),
  bytes: z.int(),
  /** Files that documents referred to and that did not exist. */
  missing: z.array(z.string()),
  sums: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

export function openBackup(folder: string) {
  return {
    documents: folderDocuments(join(folder, 'database')),
    files: createDiskFileStore(join(folder, 'files')),
  };
}

/**
 * Writes a backup of a running desk into a new folder. The folder has its name only when it is complete; until then it ends in
 * `.incomplete`, and the next backup removes it.
 * @throws CommandFailure if the folder exists
 */
export async function writeBackup(
  config: StoreConfig,
  folder: string,
  { isStopped, say, tell }: { isStopped: boolean; say: SayDb; tell(sentence: string): void },
): Promise<Manifest> {
  if (existsSync(folder)) throw new CommandFailure(1, say('exists', { folder }));
  const scratch = `${folder}.incomplete`;
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const options = { isStopped, say, tell };
  const { documents, files } = openBackup(scratch);
  const findMissing = async () => {
    const found: MissingFile[] = [];
    for await (const one of findMissingFiles(documents, files, say)) found.push(one);
    return found;
  };
  let written = await writeOnce(config, scratch, options);
  let missing = await findMissing();
  if (missing.length > 0) {
    // Perhaps they were deleted after the documents were read: later documents do not refer to them.
    written = await writeOnce(config, scratch, options);
    missing = await findMissing();
  }
  for (const { text } of missing) tell(text);
  const manifest: Manifest = { ...written, missing: missing.map(({ file }) => file) };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(scratch, 'manifest.json'), text, { mode: 0o600, flush: true });
  await rename(scratch, folder);
  return manifest;
}

async function writeOnce(
  config: StoreConfig,
  folder: string,
  options: { isStopped: boolean; say: SayDb; tell(sentence: string): void },
): Promise<Omit<Manifest, 'missing'>> {
  const { say, tell } = options;
  const createdAt = new Date().toISOString();
  await rm(join(folder, 'database'), { recursive: true, force: true });
  const sums = createHash('sha256');
  await using list = await open(join(folder, 'SHA256SUMS'), 'w', 0o600);
  const add = async (path: string, sha256: string) => {
    const line = `${sha256}  ${path}\n`;
    sums.update(line);
    await list.write(line);
  };
  await using place = await openSnapshot(config, { scratch: folder, ...options });
  const backup = openBackup(folder);
  const collections: Copied[] = [];
  const files = { files: 0, bytes: 0 };
  for (const collection of await place.documents.collections()) {
    const copied = await copyCollection(collection, place.documents, backup.documents);
    collections.push(copied);
    const path = `database/${copied.name}`;
    await add(`${path}.bson`, copied.sha256);
    await add(`${path}.metadata.json`, await hashOfFile(join(folder, `${path}.metadata.json`)));
    tell(say('copied', { name: copied.name, count: copied.count }));
  }
  for await (const { key, size, sha256 } of copyFiles(place.files, backup.files)) {
    files.files += 1;
    files.bytes += size;
    await add(`files/${key}`, sha256);
  }
  tell(say('copiedFiles', { count: files.files }));
  await list.sync();
  return {
    format: 1,
    createdAt,
    store: config.mongodbUri === null ? 'embedded' : 'mongodb',
    recordsVersion,
    collections,
    ...files,
    sums: sums.digest('hex'),
  };
}

/** @throws CommandFailure if the folder is no complete backup, or one of a newer version */
export async function readManifest(folder: string, say: SayDb): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new CommandFailure(1, say('noBackup', { folder }));
  const parsed = Manifest.safeParse(parseJson(text));
  if (!parsed.success) throw new CommandFailure(1, say('badManifest', { folder }));
  if (parsed.data.recordsVersion > recordsVersion) throw new CommandFailure(1, say('newer', { folder }));
  return parsed.data;
}

/** Sentences about everything in a backup that is damaged, missing or too much. */
export async function* findDamage(folder: string, manifest: Manifest, say: SayDb): AsyncGenerator<string> {
  const listed = join(folder, 'SHA256SUMS');
  if ((await hashOfFile(listed).catch(() => '')) !== manifest.sums)
    yield say('damaged', { file: 'SHA256SUMS' });
  if (!existsSync(listed)) return;
  const damaged = new Set<string>();
  const tables = new Set<string>();
  let files = 0;
  for await (const line of createInterface({ input: createReadStream(listed) })) {
    const [, sha256, path = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (path.startsWith('files/')) files += 1;
    else tables.add(path);
    const found = await hashOfFile(join(folder, path)).catch(() => undefined);
    if (found === sha256) continue;
    damaged.add(path);
    yield say(found === undefined ? 'absent' : 'damaged', { file: path });
  }
  if (files !== manifest.files) yield say('fileCount', { count: files, expected: manifest.files });
  // Documents that were added to a backup are not restored unnoticed.
  for (const name of await readdir(join(folder, 'database')).catch(() => []))
    if (!tables.has(`database/${name}`)) yield say('unlisted', { file: `database/${name}` });
  const backup = openBackup(folder);
  yield* findWrongCounts(backup.documents, manifest, damaged, say);
  const known = new Set(manifest.missing);
  if ([...damaged].some((path) => path.startsWith('database/'))) return;
  for await (const { file, text } of findMissingFiles(backup.documents, backup.files, say))
    if (!known.has(file)) yield text;
}

async function* findWrongCounts(
  documents: Documents,
  { collections }: Manifest,
  damaged: ReadonlySet<string>,
  say: SayDb,
): AsyncGenerator<string> {
  for (const { name, count } of collections) {
    if (damaged.has(`database/${name}.bson`)) continue;
    const found = await checksumOf(documents.read(name)).catch(() => undefined);
    if (found?.count !== count)
      yield say('documentCount', { name, count: found?.count ?? 0, expected: count });
  }
}

const hashOfFile = (path: string): Promise<string> => hashOf(createReadStream(path));
