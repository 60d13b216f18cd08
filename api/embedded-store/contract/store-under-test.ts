import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type mongo } from 'mongoose';
import { openTestDatabase, removeTestData } from '../../src/testing/test-database.ts';

/** A database for one test file: at MONGODB_URI_TEST, otherwise on an embedded store in a new folder. */
export interface StoreUnderTest {
  db: mongo.Db;
  client: mongo.MongoClient;
  uri: string;
  close(): Promise<void>;
}

export const STRICT_API = { version: '1', strict: true, deprecationErrors: true } as const;

export async function openStoreUnderTest(): Promise<StoreUnderTest> {
  const dataDir = await mkdtemp(join(tmpdir(), 'desk-contract-'));
  const { uri, close } = await openTestDatabase(dataDir);
  const client = new mongoose.mongo.MongoClient(uri, { serverApi: STRICT_API });
  return {
    db: client.db(),
    client,
    uri,
    async close() {
      await client.close();
      await close();
      await removeTestData(dataDir);
    },
  };
}

/** The server's error of a call that must fail. */
export async function failure(call: Promise<unknown>): Promise<mongo.MongoServerError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError) return error;
    throw error;
  }
  throw new Error('expected the server to refuse this, but it did not');
}

/** Groups are unordered. Sorts by `_id` in MongoDB's order: null, numbers, text, documents, dates. */
export const sortById = <T extends mongo.BSON.Document>(docs: T[]): T[] =>
  docs.sort(
    ({ _id: a }, { _id: b }) => rankOf(a) - rankOf(b) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1),
  );

function rankOf(value: unknown): number {
  if (value === null) return 0;
  return ['number', 'string', 'object'].indexOf(typeof value) + 1;
}
