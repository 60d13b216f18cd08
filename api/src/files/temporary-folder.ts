import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDead, type ThisProcess } from '../store/process-lease.ts';

/** Time after which a process of another host without a sign of life counts as dead, in ms. */
const deadAfterMs = 3 * 3_600_000;
const ownerFile = 'process';

/** `isAlone`: no other process can be using this DATA_DIR, so existing folders are left over. */
export async function openTemporaryFolder(dataDir: string, self: ThisProcess, isAlone: boolean) {
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
    const until = new Date(seen.mtimeMs + deadAfterMs);
    const { host, pid } = await readOwner(file);
    return isDead({ process: folder.slice(all.length + 1), host, pid, until }, self);
  }

  await mkdir(path, { recursive: true, mode: 0o700 });
  await writeFile(ownerPath, JSON.stringify({ host: self.host, pid: self.pid }), { mode: 0o600 });
  await removeLeft(isAlone ? async () => true : isOfDead);

  return {
    path,
    /** Renews this process's sign of life, and deletes folders of dead processes. Call at least once an hour. */
    async sweep(): Promise<void> {
      const now = new Date();
      await utimes(ownerPath, now, now);
      await removeLeft(isOfDead);
    },
    /** Deletes the folder with all of its content at shutdown. */
    remove: (): Promise<void> => rm(path, { recursive: true, force: true }),
  };
}

/** Without an owner file the process was killed while starting: its folder is deleted by age. */
async function readOwner(file: string): Promise<{ host: string; pid: number }> {
  try {
    const { host, pid } = JSON.parse(await readFile(file, 'utf8')) as { host: unknown; pid: unknown };
    return { host: String(host), pid: Number(pid) };
  } catch {
    return { host: '', pid: 0 };
  }
}
