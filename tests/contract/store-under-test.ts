import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type mongo } from 'mongoose';
import { openEmbeddedStore } from '../../api/src/embedded/open-embedded-store.ts';

/** A database of its own for one test file: on MONGODB_URI_TEST, else on an embedded store in a new folder. */
export interface StoreUnderTest {
  db: mongo.Db;
  client: mongo.MongoClient;
  /** True where the embedded store answers: for what it refuses and MongoDB does. */
  isEmbedded: boolean;
  uri: string;
  close(): Promise<void>;
}

export const STRICT_API = { version: '1', strict: true, deprecationErrors: true } as const;

export async function openStoreUnderTest(): Promise<StoreUnderTest> {
  const given = process.env.MONGODB_URI_TEST;
  const own = given ? undefined : await openOwn();
  const uri = given ?? (own as { uri: string }).uri;
  const client = new mongoose.mongo.MongoClient(uri, { serverApi: STRICT_API });
  const db = client.db(`contract_${process.pid}_${Date.now()}`);
  return {
    db,
    client,
    isEmbedded: !given,
    uri,
    async close() {
      await db.dropDatabase();
      await client.close();
      await own?.close();
    },
  };
}

async function openOwn() {
  const dataDir = await mkdtemp(join(tmpdir(), 'desk-contract-'));
  const store = await openEmbeddedStore({ dataDir });
  return {
    uri: store.uri,
    async close() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
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
  throw new Error('expected the server to refuse this, and it did not');
}
