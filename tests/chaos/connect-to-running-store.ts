import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { testStoreConfig } from '../../api/src/testing/test-database.ts';

/** Connects to the store of a running server: the embedded store also listens on a socket. */
export async function connectToRunningStore(dataDir: string): Promise<Connection> {
  const uri = testStoreConfig(dataDir).mongodbUri ?? (await socketUri(dataDir));
  return mongoose.createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
}

async function socketUri(dataDir: string): Promise<string> {
  const folder = (await readFile(join(dataDir, 'store.socket'), 'utf8')).trim();
  const [socket = ''] = await readdir(folder);
  return `mongodb://${encodeURIComponent(join(folder, socket))}/desk`;
}
