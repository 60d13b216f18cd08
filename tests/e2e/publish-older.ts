/**
 * Publishes what stands in the workspaces' dist/ into a fresh DATA_DIR as an older version, with one remote's words changed, so
 * that the next start has a previous release to fall back to.
 *
 *   node tests/e2e/publish-older.ts DATA_DIR REMOTE FROM TO
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { createCompositionStore } from '../../api/src/compositions/composition-store.ts';
import { publishBuilds } from '../../api/src/compositions/publish-builds.ts';
import { openEmbeddedStore } from '../../api/src/embedded/open-embedded-store.ts';
import { createDiskFileStore } from '../../api/src/files/disk-file-store.ts';
import { copyBuild, saying } from './copy-build.ts';

const [dataDir, remote, from, to] = process.argv.slice(2);
if (!dataDir || !remote || !from || !to) throw new Error('usage: publish-older.ts DATA_DIR REMOTE FROM TO');

const root = path.join(import.meta.dirname, '../..');
const folder = await mkdtemp(path.join(os.tmpdir(), 'older-'));
await copyBuild(remote, folder, '0.9.0', saying(from, to));

const embedded = await openEmbeddedStore({ dataDir });
const connection = await mongoose
  .createConnection(embedded.uri, { serverApi: { version: '1', strict: true, deprecationErrors: true } })
  .asPromise();
const workspaces = ['host', 'mfe-auth', 'mfe-chat', 'mfe-records'];
const folders = workspaces.map((name) => (name === remote ? folder : path.join(root, name, 'dist')));
const published = await publishBuilds(folders, {
  store: createCompositionStore(connection),
  files: createDiskFileStore(path.join(dataDir, 'files')),
  now: () => new Date(),
});
console.log(published.kind);
await connection.close();
await embedded.close();
await rm(folder, { recursive: true });
