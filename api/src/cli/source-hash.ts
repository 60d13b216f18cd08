import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Files and folders that every build depends on besides its own workspace. */
const SHARED_SOURCES = [
  'package-lock.json',
  'rspack.shared.js',
  'tsconfig.base.json',
  'tsconfig.web.json',
  'host/src/contract.ts',
  'host/src/shared',
  'host/ui/package.json',
  'host/ui/src',
];
const OWN_SOURCES = ['package.json', 'desk.json', 'rspack.config.js', 'tsconfig.json', 'src'];
const NOT_SHIPPED = /\.test\.tsx?$|\/testing\/|\/standalone\.tsx$/;

/** SHA-256 (hex) of all sources of a workspace's build, tests excluded. A missing file changes the hash. */
export async function sourceHash(root: string, workspace: string): Promise<string> {
  const sources = [...SHARED_SOURCES, ...OWN_SOURCES.map((path) => `${workspace}/${path}`)];
  const found = await Promise.all(sources.map((path) => filesBelow(join(root, path))));
  const files = [...new Set(found.flat())].filter((file) => !NOT_SHIPPED.test(file)).sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256').update(process.versions.node.split('.', 1)[0] ?? '');
  files.forEach((file, index) => {
    hash.update(`\n${relative(root, file)} ${contents[index]!.length}\n`).update(contents[index]!);
  });
  return hash.digest('hex');
}

/** The file itself, or every file in the folder; empty if it does not exist. */
async function filesBelow(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return [path];
    if (code === 'ENOENT') return [];
    throw error;
  }
}
