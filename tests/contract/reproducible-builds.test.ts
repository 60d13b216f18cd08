import {
  copyFile,
  glob,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { buildStale } from '../../api/src/cli/build-stale.ts';
import { compileWithRspack } from '../../api/src/cli/compile-with-rspack.ts';

jest.setTimeout(240_000);

const root = path.join(import.meta.dirname, '../..');
const WORKSPACES = ['host', 'mfe-auth', 'mfe-chat'];

/** In this project: packages are hard links, for which the copy must be on the same file system. */
let folder: string;
let copy: string;

beforeAll(async () => {
  await mkdir(path.join(root, 'test-results'), { recursive: true });
  folder = await mkdtemp(path.join(root, 'test-results/reproducible-'));
  copy = path.join(folder, 'another place/consultation-desk');
  await copyProject();
  // `npm test` has built this folder before.
  await buildStale({ root, compile: compileWithRspack(root), log: console.log });
  for (const workspace of WORKSPACES) await compileWithRspack(copy)(workspace);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(WORKSPACES)('%s has the same files in another folder, byte by byte', async (workspace) => {
  const here = await filesOf(path.join(root, workspace, 'dist'));
  const there = await filesOf(path.join(copy, workspace, 'dist'));
  expect([...there.keys()].sort()).toEqual([...here.keys()].sort());
  const different = [...here].filter(([name, text]) => there.get(name) !== text).map(([name]) => name);
  expect(different).toEqual([]);
  expect(here.size).toBeGreaterThan(5);
});

test.each(WORKSPACES)('no file of %s contains the path of the folder', async (workspace) => {
  for (const [name, text] of await filesOf(path.join(copy, workspace, 'dist')))
    expect([name, /another(?: |%20)place/.test(text)]).toEqual([name, false]);
});

/** Text of each file by name. Only the commit may differ: the sources here may be changed, the copy is not tracked. */
async function filesOf(dist: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const name of glob('**/*.*', { cwd: dist })) {
    const text = await readFile(path.join(dist, name), 'latin1');
    files.set(name, name === 'release.json' ? text.replace(/"commit": .*/, '') : text);
  }
  return files;
}

async function copyProject(): Promise<void> {
  const isSource = ({ name }: { name: string }) =>
    !/^(\.git|node_modules|dist|test-results|data)$/.test(name);
  const sources = ['package.json', 'rspack.shared.js', 'tsconfig.base.json', 'tsconfig.web.json'];
  await mkdir(copy, { recursive: true });
  for (const name of sources) await copyFile(path.join(root, name), path.join(copy, name));
  await copyTree(
    path.join(root, 'node_modules'),
    path.join(copy, 'node_modules'),
    link,
    ({ name }) => name !== '.cache',
  );
  for (const folder of [...WORKSPACES, 'api/src/contract'])
    await copyTree(path.join(root, folder), path.join(copy, folder), copyFile, isSource);
}

async function copyTree(
  from: string,
  to: string,
  copyOne: (from: string, to: string) => Promise<void>,
  isWanted: (entry: { name: string }) => boolean,
): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = (await readdir(from, { withFileTypes: true })).filter(isWanted);
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
      if (entry.isDirectory()) await copyTree(source, target, copyOne, isWanted);
      else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
      else await copyOne(source, target);
    }),
  );
}
