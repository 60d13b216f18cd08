import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those it lies in, readable by this user alone; one that is there stays as it is. Node's own `recursive` never
 * returns where a file system says of a new folder that it does not exist, as /proc does.
 *
 * @throws Error with the system's code
 */
export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    // Another process may have been quicker.
    if (!(await isFolder(path))) throw cause;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
