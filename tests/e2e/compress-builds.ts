import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ensureEncoded } from '../../api/src/compositions/ensure-encoded.ts';
import { readBuild } from '../../api/src/compositions/read-build.ts';
import { createDiskFileStore } from '../../api/src/files/disk-file-store.ts';
import { ENCODED_BUILDS } from '../start-desk.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Compresses the builds once for every desk of a run: that is most of what a first start takes (3 s of a processor). A desk that finds
 * other forms than those of its builds makes them anew.
 */
export default async function compressBuilds(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'encoded-'));
  const files = createDiskFileStore(folder);
  await Promise.all(
    ['host', 'mfe-auth', 'mfe-chat', 'mfe-records'].map(async (workspace) => {
      // Not built yet: the first desk builds it.
      const build = await readBuild(path.join(root, workspace, 'dist')).catch(() => undefined);
      for (const file of build?.files ?? [])
        await ensureEncoded(build!, file, build!.contents.get(file.path)!, files);
    }),
  );
  process.env[ENCODED_BUILDS] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
