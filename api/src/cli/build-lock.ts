import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Runs `work` while no other process on this machine holds the lock file `path`. Waits if another process
 * holds it; a lock left by a dead process is taken over. `onWait` is called once with the holder's process
 * id.
 */
export async function withBuildLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: (pid: number) => void = () => {},
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let hasNotified = false;
  while (!(await acquire(path))) {
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder && !isAlive(holder)) {
      await removeDead(path, holder);
      continue;
    }
    if (holder && !hasNotified) onWait(holder);
    hasNotified ||= holder > 0;
    await wait(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx');
    await file.writeFile(String(process.pid));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the lock by renaming it: if another process has replaced it meanwhile, it is renamed back. */
async function removeDead(path: string, holder: number): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
    if (Number(await readFile(aside, 'utf8')) !== holder) await link(aside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
