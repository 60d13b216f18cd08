import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

/** Relative imports and exports, and @import of style sheets. Imports of packages are ignored. */
const RELATIVE = /(?:\bfrom|\bimport|@import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const READ = new Set(['.ts', '.tsx', '.js', '.css']);

/**
 * `entries` and all files that they import, directly or indirectly; sorted paths relative to `root`. Rejects
 * if one is missing.
 */
export async function sourcesFrom(root: string, entries: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const text = await readFile(join(root, path), 'utf8');
    if (!READ.has(extname(path))) continue;
    for (const [, imported = ''] of text.matchAll(RELATIVE)) waiting.push(join(dirname(path), imported));
  }
  return [...found].sort();
}
