import { transfersCollection } from '../../store/unfinished-transfer.ts';
import { CommandFailure } from '../failure.ts';
import { type Checksum, type CollectionInfo, checksumOf, createSum, type Documents } from './documents.ts';
import { copyFiles } from './files.ts';
import type { Place, SayDb } from './places.ts';

/** The properties of a copied collection. */
export type Copied = Checksum & { name: string };

/** Progress of a restore or a migration, stored in the target until it has finished. */
interface Transfer {
  _id: string;
  /** The source, for messages. */
  from: string;
  done: Copied[];
}

interface TransferDeps {
  source: Pick<Place, 'documents' | 'files'>;
  target: Place;
  /** Name of the source; an interrupted transfer is continued from the same source only. */
  from: string;
  /** Deletes the content of the target, instead of continuing. */
  isForced: boolean;
  say: SayDb;
  tell(sentence: string): void;
}

/**
 * Copies all documents and files into a desk that is empty, or that an interrupted transfer from the same source has begun to fill. Each collection
 * and each file is read again from the target and compared; only then the indexes are created, and the target counts as complete.
 * @throws CommandFailure if the target is not empty, or a copy differs
 */
export async function transfer(deps: TransferDeps) {
  const { source, target, say, tell } = deps;
  const progress = target.connection.collection<Transfer>(transfersCollection);
  const { _id, done } = await begin(deps);
  const collections = await source.documents.collections();
  for (const collection of collections) {
    if (done.some(({ name }) => name === collection.name)) continue;
    const copied = await copyCollection(collection, source.documents, target.documents);
    done.push(copied);
    await progress.updateOne({ _id }, { $set: { done } });
    tell(say('copied', { name: copied.name, count: copied.count }));
  }
  const files = { files: 0, bytes: 0 };
  for await (const { size } of copyFiles(source.files, target.files)) {
    files.files += 1;
    files.bytes += size;
  }
  tell(say('copiedFiles', { count: files.files }));
  const differing = await findDifferences(collections, done, target.documents);
  if (differing.length > 0) throw new CommandFailure(1, say('differs', { names: differing.join(', ') }));
  for (const collection of collections) await target.documents.createIndexes(collection);
  return { collections: done, ...files };
}

/** Marks the target as complete: from now on a server can use it. */
export async function finish({ connection }: Pick<Place, 'connection'>): Promise<void> {
  await connection.collection(transfersCollection).drop();
}

export async function findDifferences(
  collections: readonly CollectionInfo[],
  expected: readonly Copied[],
  documents: Documents,
): Promise<string[]> {
  const differing: string[] = [];
  for (const { name } of collections) {
    const found = await checksumOf(documents.read(name));
    const copied = expected.find((one) => one.name === name);
    if (found.sha256 !== copied?.sha256) differing.push(name);
  }
  return differing;
}

export async function copyCollection(collection: CollectionInfo, from: Documents, to: Documents) {
  const { name } = collection;
  const { pass, checksum } = createSum();
  await to.write(collection, pass(from.read(name)));
  return { name, ...checksum() };
}

async function begin({ target, from, isForced, say, tell }: TransferDeps): Promise<Transfer> {
  const progress = target.connection.collection<Transfer>(transfersCollection);
  const begun = await progress.findOne({});
  if (begun?.from === from && !isForced) {
    tell(say('continued', { from }));
    return begun;
  }
  if (!isForced) {
    if (begun) throw new CommandFailure(1, say('otherTransfer', { from: begun.from }));
    if (!(await isEmpty(target))) throw new CommandFailure(1, say('notEmpty'));
  } else {
    await target.connection.db!.dropDatabase();
  }
  const started: Transfer = { _id: 'transfer', from, done: [] };
  await progress.insertOne(started);
  if (isForced) for await (const key of target.files.list('')) await target.files.remove(key);
  return started;
}

async function isEmpty({ documents, connection, files }: Place): Promise<boolean> {
  for (const { name } of await documents.collections())
    if (await connection.collection(name).findOne({}, { projection: { _id: 1 } })) return false;
  for await (const _ of files.list('')) return false;
  return true;
}
