import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Connection } from 'mongoose';
import type { Config } from '../../config/config.ts';
import { createDiskFileStore } from '../../files/storage/disk-file-store.ts';
import type { FileStore } from '../../files/storage/file-store.ts';
import { createGridFsFileStore } from '../../files/storage/gridfs-file-store.ts';
import type { Say } from '../../i18n/texts-of.ts';
import { openStore } from '../../store/open-store.ts';
import { CommandFailure } from '../failure.ts';
import { type Documents, databaseDocuments } from './documents.ts';

/** Which store: MongoDB, or the embedded store in `dataDir`. */
export type StoreConfig = Pick<Config, 'mongodbUri' | 'dataDir'>;

export interface Place extends AsyncDisposable {
  documents: Documents;
  files: FileStore;
  connection: Connection;
}

/** The place without credentials, for messages and for recognizing it again. */
export function nameOf({ mongodbUri, dataDir }: StoreConfig): string {
  return mongodbUri === null
    ? resolve(dataDir)
    : mongodbUri.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '');
}

/** Opens a desk that is stopped, for reading and writing. @throws Error if a process uses its DATA_DIR */
export async function openDesk(config: StoreConfig): Promise<Place> {
  const { connection, close } = await openStore(config);
  const files =
    config.mongodbUri === null
      ? createDiskFileStore(join(config.dataDir, 'files'))
      : createGridFsFileStore(connection);
  return { documents: databaseDocuments(connection.db!), files, connection, [Symbol.asyncDispose]: close };
}

/**
 * Opens the documents of a desk as of one time, while it serves. Files are the present ones.
 *
 * The embedded store is copied by SQLite's online backup in a single step: commands run meanwhile, and the copy needs no restart when they write.
 * On MongoDB, a snapshot session reads all collections as of one time; servers outside a replica set have none.
 * @param scratch parent folder of the copy
 */
export async function openSnapshot(
  config: StoreConfig,
  { scratch, isStopped, say }: { scratch: string; isStopped: boolean; say: SayDb },
): Promise<Place> {
  if (config.mongodbUri === null) return openCopy(config.dataDir, scratch, say);
  const desk = await openDesk(config);
  const { connection } = desk;
  const { setName, msg } = await connection.db!.command({ hello: 1 });
  if (!setName && msg !== 'isdbgrid') {
    if (isStopped) return desk;
    await desk[Symbol.asyncDispose]();
    throw new CommandFailure(1, say('noSnapshot'));
  }
  const session = connection.getClient().startSession({ snapshot: true });
  return {
    ...desk,
    documents: databaseDocuments(connection.db!, session),
    async [Symbol.asyncDispose]() {
      await session.endSession();
      await desk[Symbol.asyncDispose]();
    },
  };
}

/** Every page in one step: between steps, SQLite would start again whenever another process has written. */
const allPages = 2 ** 31 - 1;

async function openCopy(dataDir: string, scratch: string, say: SayDb): Promise<Place> {
  const file = join(dataDir, 'store.sqlite');
  if (!existsSync(file)) throw new CommandFailure(1, say('noData', { folder: resolve(dataDir) }));
  const folder = await mkdtemp(join(scratch, 'copy-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    {
      using original = new DatabaseSync(file, { readOnly: true });
      await backup(original, join(folder, 'store.sqlite'), { rate: allPages });
    }
    const copy = await openDesk({ mongodbUri: null, dataDir: folder });
    return {
      ...copy,
      files: createDiskFileStore(join(dataDir, 'files')),
      async [Symbol.asyncDispose]() {
        await copy[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (cause) {
    await remove();
    throw cause;
  }
}

export type SayDb = Say<'cli-db'>;
