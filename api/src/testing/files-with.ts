import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The files below `folder` that contain `words`, in UTF-8 or UTF-16. On MongoDB the server's files cannot be
 * read.
 */
export async function filesWith(folder: string, words: string): Promise<string[]> {
  const needles = [Buffer.from(words, 'utf8'), Buffer.from(words, 'utf16le')];
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (needles.some((needle) => bytes.includes(needle))) found.push(path);
  }
  return found;
}
