import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents, with access for this user only; an existing folder keeps its permissions. Node's option
 * `recursive` never returns on a file system such as /proc, where a folder cannot be created.
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
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw cause;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
