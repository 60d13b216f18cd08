import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { createDiskFileStore } from '../files/storage/disk-file-store.ts';
import type { FileStore } from '../files/storage/file-store.ts';
import { createGridFsFileStore } from '../files/storage/gridfs-file-store.ts';

/** True unless MONGODB_URI_TEST names a MongoDB server for the tests. */
export const isEmbedded = !process.env.MONGODB_URI_TEST;

/** The variables MONGODB_URI and DATA_DIR of a server under test. */
interface TestStoreConfig {
  mongodbUri: string | null;
  dataDir: string;
}

/**
 * The store configuration of a server under test: the embedded store in `dataDir`, or, on the server named in
 * MONGODB_URI_TEST, a database derived from `dataDir`, so that a restart with the same folder finds its data.
 */
export function testStoreConfig(dataDir: string): TestStoreConfig {
  const server = process.env.MONGODB_URI_TEST;
  if (!server) return { mongodbUri: null, dataDir };
  const [, hosts, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? [];
  if (!hosts) throw new Error(`MONGODB_URI_TEST must be a connection string (mongodb://…), got "${server}"`);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return { mongodbUri: `${hosts}/desk_test_${name}${query}`, dataDir };
}

export interface TestDatabase {
  uri: string;
  /** Closes the embedded store; a MongoDB server keeps running. */
  close(): Promise<void>;
}

/**
 * The store of `dataDir` without a server, for tests that connect to it themselves. `removeTestData` removes
 * it.
 */
export async function openTestDatabase(dataDir: string): Promise<TestDatabase> {
  const { mongodbUri } = testStoreConfig(dataDir);
  if (mongodbUri) return { uri: mongodbUri, close: async () => undefined };
  // Loaded on demand: it loads the whole engine.
  const { openEmbeddedStore } = await import('embedded-store/open-embedded-store.ts');
  return openEmbeddedStore({ dataDir });
}

/** Removes all data of a server under test: the folder and, on MongoDB, its database. */
export async function removeTestData(dataDir: string): Promise<void> {
  const { mongodbUri } = testStoreConfig(dataDir);
  if (mongodbUri) await dropDatabase(mongodbUri);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
}

/** The file store of the server with `dataDir`: in its folder, or in GridFS on MongoDB. */
export function testFiles(desk: { connection: Connection; dataDir: string }): FileStore {
  return isEmbedded
    ? createDiskFileStore(join(desk.dataDir, 'files'))
    : createGridFsFileStore(desk.connection);
}

/**
 * How long the MongoDB under test keeps old versions of documents, in seconds: its default is 300, but it is started with 0, so that dropped
 * databases need no open files. Nothing on the embedded store.
 */
export async function keepHistory(seconds: number): Promise<void> {
  if (isEmbedded) return;
  const client = new mongoose.mongo.MongoClient(process.env.MONGODB_URI_TEST ?? '');
  try {
    await client.db('admin').command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: seconds });
  } finally {
    await client.close();
  }
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}
