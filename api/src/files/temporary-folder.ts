import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDead, type ThisProcess } from '../store/this-process.ts';

/** Where this process keeps what is being uploaded, and nobody else's. */
export interface TemporaryFolder {
  path: string;
  /** Says that this process lives, and removes the folders of those that do not. To be called at least once an hour. */
  sweep(): Promise<void>;
  /** Removes it with all that is in it, at the end. */
  remove(): Promise<void>;
}

/** A process of another host that has not shown itself for so long is gone, in ms. */
const goneAfter = 3 * 3_600_000;
const ownerFile = 'process';

/** `isAlone` says that no other process can be at this DATA_DIR: whatever is there then was left behind. */
export async function openTemporaryFolder(
  dataDir: string,
  self: ThisProcess,
  isAlone: boolean,
): Promise<TemporaryFolder> {
  const all = join(dataDir, 'tmp');
  const path = join(all, self.process);
  const ownerPath = join(path, ownerFile);

  async function removeLeft(isLeft: (folder: string) => Promise<boolean>): Promise<void> {
    for (const name of await readdir(all)) {
      const folder = join(all, name);
      if (folder !== path && (await isLeft(folder))) await rm(folder, { recursive: true, force: true });
    }
  }

  async function isOfDead(folder: string): Promise<boolean> {
    const file = join(folder, ownerFile);
    const seen = await stat(file).catch(() => stat(folder).catch(() => null));
    if (!seen) return false;
    const until = new Date(seen.mtimeMs + goneAfter);
    const { host, pid } = await readOwner(file);
    return isDead({ process: folder.slice(all.length + 1), host, pid, until }, self);
  }

  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(ownerPath, JSON.stringify({ host: self.host, pid: self.pid }), { mode: 0o600 });
  await removeLeft(isAlone ? async () => true : isOfDead);

  return {
    path,
    async sweep() {
      const now = new Date();
      await utimes(ownerPath, now, now);
      await removeLeft(isOfDead);
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** A process that was killed while it began has not said who it is: its folder goes by age. */
async function readOwner(file: string): Promise<{ host: string; pid: number }> {
  try {
    const { host, pid } = JSON.parse(await readFile(file, 'utf8')) as { host: unknown; pid: unknown };
    return { host: String(host), pid: Number(pid) };
  } catch {
    return { host: '', pid: 0 };
  }
}
