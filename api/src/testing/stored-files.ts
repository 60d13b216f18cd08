import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { blobFolder } from '../files/blobs.ts';
import { testFiles } from './test-database.ts';

/** Everything that uploads leave in the stores. */
export interface StoredFiles {
  temporary: number;
  bytes: number;
  uploads: number;
  blobs: number;
  documents: number;
  passages: number;
  findable: number;
  records: number;
}

/**
 * Counts all stored files: in DATA_DIR, in the file store and in the collections; of the knowledge base only
 * private documents.
 */
export async function countStoredFiles({
  dataDir,
  connection,
}: {
  dataDir: string;
  connection: Connection;
}): Promise<StoredFiles> {
  const count = (name: string, filter = {}) => connection.collection(name).countDocuments(filter);
  const owned = { owner: { $ne: '' } };
  const temporary = await filesBelow(join(dataDir, 'tmp'));
  return {
    temporary: temporary.filter((path) => !path.endsWith('process')).length,
    bytes: await blobsIn({ dataDir, connection }),
    uploads: await count('uploads'),
    blobs: await count('blobs'),
    documents: await count('documents', owned),
    passages: await count('passages', owned),
    findable: await count('findable_passages', owned),
    records: await count('records'),
  };
}

async function blobsIn(desk: { dataDir: string; connection: Connection }): Promise<number> {
  let count = 0;
  for await (const _ of testFiles(desk).list(blobFolder)) count += 1;
  return count;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
