import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { createCompositionIndexes, createCompositionStore } from '../releases/data/composition-store.ts';
import { serverSelectionTimeoutMS } from '../store/open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openTestDatabase, removeTestData, testFiles } from './test-database.ts';

/** A real store and a folder for files, for one test file. */
export async function openTestCompositions() {
  const folder = await temporaryFolder('compositions');
  const dataDir = join(folder, 'data');
  const database = await openTestDatabase(dataDir);
  const connections: mongoose.Connection[] = [];

  /** Creates the dependencies of one API process. */
  async function connect() {
    const connection = await mongoose
      .createConnection(database.uri, {
        serverApi: { version: '1', strict: true, deprecationErrors: true },
        serverSelectionTimeoutMS,
      })
      .asPromise();
    connections.push(connection);
    const store = createCompositionStore(connection);
    await createCompositionIndexes(store);
    return {
      store,
      files: testFiles({ connection, dataDir }),
      now: () => new Date(),
    };
  }

  let own: ReturnType<typeof connect> | undefined;

  return {
    folder,
    connect,
    /** Stops the embedded store; connections can no longer reach it. */
    stop: () => database.close(),
    /**
     * Deletes everything that was published. Resolves with the dependencies of one API process, always on the
     * same connection.
     */
    async clear() {
      own ??= connect();
      const process = await own;
      const { store, files } = process;
      await store.pointers.deleteMany({});
      await store.moves.deleteMany({});
      await store.compositions.deleteMany({});
      await store.releases.deleteMany({});
      for await (const key of files.list('')) await files.remove(key);
      return { ...process };
    },
    async close() {
      for (const connection of connections) await connection.close();
      await database.close();
      await removeTestData(dataDir);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
