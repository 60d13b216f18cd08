import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { openEmbeddedStore } from '../embedded/open-embedded-store.ts';
import { createDiskFileStore } from '../files/disk-file-store.ts';
import { createCompositionIndexes, createCompositionStore } from './composition-store.ts';

/** A real store and a folder for files, for one test file. */
export async function openTestStore() {
  const folder = await mkdtemp(join(tmpdir(), 'compositions-'));
  const filesFolder = join(folder, 'files');
  const embedded = await openEmbeddedStore({ dataDir: join(folder, 'data') });
  const connections: mongoose.Connection[] = [];

  /** What one API process would have. */
  async function connect() {
    const connection = await mongoose
      .createConnection(embedded.uri, {
        serverApi: { version: '1', strict: true, deprecationErrors: true },
      })
      .asPromise();
    connections.push(connection);
    const store = createCompositionStore(connection);
    await createCompositionIndexes(store);
    return {
      store,
      files: createDiskFileStore(filesFolder),
      now: () => new Date(),
    };
  }

  return {
    folder,
    filesFolder,
    connect,
    /** The store goes away; connections find nobody there. */
    stop: () => embedded.close(),
    /** Forgets everything that was published. */
    async clear() {
      const { store } = await connect();
      await store.pointers.deleteMany({});
      await store.moves.deleteMany({});
      await store.compositions.deleteMany({});
      await store.releases.deleteMany({});
      await rm(filesFolder, { recursive: true, force: true });
    },
    async close() {
      for (const connection of connections) await connection.close();
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
