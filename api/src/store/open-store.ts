import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import type { Config } from '../config/config.ts';
import { makeFolder } from './embedded/make-folder.ts';
import { maxTimeMS } from './query-limit.ts';
import { isOutage } from './store-failure.ts';

export interface Store {
  connection: Connection;
  /** True when no other process can be at the same data. */
  isAlone: boolean;
  /** Resolves when the store answers; rejects within a second or so when it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Time before an unresponsive store is reported as 503, in ms. */
const serverSelectionTimeoutMS = 2000;

/**
 * Options for a MongoDB server, as against the embedded store. They win over the connection string.
 * - Writes are acknowledged when a majority has them in its journal: without it a killed standalone server loses or changes them.
 * - The monitor notices a server that hangs within about 5 s and then interrupts the calls that wait for it.
 */
const mongodbOptions = {
  writeConcern: new mongoose.mongo.WriteConcern('majority', 5000, true),
  heartbeatFrequencyMS: 2000,
  connectTimeoutMS: 3000,
};

/**
 * Opens the store that `config` names: MongoDB, or the embedded one in its DATA_DIR. Both are spoken to in strict Stable API mode,
 * so that nothing is sent that any MongoDB from 5.0 on would not take.
 *
 * @throws Error when the server does not answer, when the DATA_DIR cannot be written to, or when another process uses it.
 */
export async function openStore(config: Pick<Config, 'mongodbUri' | 'dataDir'>): Promise<Store> {
  const embedded = config.mongodbUri === null ? await openEmbedded(config.dataDir) : null;
  const uri = embedded?.uri ?? config.mongodbUri ?? '';
  const connection = mongoose.createConnection();
  const close = async () => {
    await connection.close();
    await embedded?.close();
  };
  try {
    await connection.openUri(uri, {
      serverApi: { version: '1', strict: true, deprecationErrors: true },
      serverSelectionTimeoutMS,
      waitQueueTimeoutMS: 5000,
      bufferCommands: false,
      autoIndex: false,
      autoCreate: false,
      ...(embedded ? {} : mongodbOptions),
    });
    connection.set('maxTimeMS', maxTimeMS);
    return { connection, isAlone: embedded !== null, ping: () => ping(connection), close };
  } catch (cause) {
    await close().catch(() => undefined);
    if (embedded || !isOutage(cause)) throw cause;
    throw new Error(`MONGODB_URI must name a server that answers: ${(cause as Error).message}`, { cause });
  }
}

/** Loaded only where it is used: a desk on MongoDB starts without it. */
async function openEmbedded(dataDir: string): Promise<{ uri: string; close(): Promise<void> }> {
  await tryFolder(dataDir);
  const { openEmbeddedStore } = await import('./embedded/open-embedded-store.ts');
  return openEmbeddedStore({ dataDir });
}

/** @throws Error that says why `dataDir` cannot be written to: a store that opens a full or read-only disk only says that it cannot. */
async function tryFolder(dataDir: string): Promise<void> {
  const trial = join(dataDir, `trial-${randomUUID()}`);
  try {
    await makeFolder(dataDir);
    await writeFile(trial, Buffer.alloc(4096));
  } catch (cause) {
    throw new Error(
      `DATA_DIR must be a folder that can be written to, got "${dataDir}": ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

/** Without the path of the trial file, which says nothing to anybody. */
function reasonOf(cause: unknown): string {
  return (cause as Error).message.split(',', 1)[0] ?? '';
}

async function ping(connection: Connection): Promise<void> {
  if (!connection.db) throw new Error('the store is not connected');
  await connection.db.command({ ping: 1 }, { timeoutMS: 1000 });
}
