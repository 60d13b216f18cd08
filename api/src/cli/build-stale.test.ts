import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { buildStale } from './build-stale.ts';

let root: string;
let lines: string[];
let compiled: string[];

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

/** Writes the same files as the bundler. */
const compile = async (workspace: string) => {
  compiled.push(workspace);
  await write(`${workspace}/dist/main.js`, 'built');
  await write(`${workspace}/dist/release.json`, JSON.stringify({ files: ['main.js'] }));
};
const build = (how = compile) => buildStale({ root, compile: how, log: (line) => lines.push(line) });

beforeEach(async () => {
  root = await temporaryFolder('build');
  await write('package.json', JSON.stringify({ workspaces: ['host', 'mfe-chat', 'api'] }));
  await write('package-lock.json', '{}');
  await write('rspack.shared.js', 'export {}');
  await write('host/src/shared/rxjs.ts', 'export {}');
  for (const workspace of ['host', 'mfe-chat']) {
    await write(`${workspace}/rspack.config.js`, 'export default {}');
    await write(`${workspace}/package.json`, '{"version":"1.0.0"}');
    await write(`${workspace}/src/main.ts`, 'export {}');
  }
  await write('api/package.json', '{}');
  lines = [];
  compiled = [];
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('builds a workspace that has never been built, and builds nothing twice', async () => {
  expect(await build()).toEqual([join(root, 'host/dist'), join(root, 'mfe-chat/dist')]);
  expect(compiled.sort()).toEqual(['host', 'mfe-chat']);

  await build();
  expect(compiled).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('building'))).toHaveLength(1);
});

test.each([
  ['a source', 'mfe-chat/src/deep/new.ts', ['mfe-chat']],
  ['its version', 'mfe-chat/package.json', ['mfe-chat']],
  ["the host's own source", 'host/src/main.ts', ['host']],
  ['a shared facade', 'host/src/shared/rxjs.ts', ['host', 'mfe-chat']],
  ['the design system', 'host/ui/src/icon.tsx', ['host', 'mfe-chat']],
  ['the shared config', 'rspack.shared.js', ['host', 'mfe-chat']],
  ['the lock file', 'package-lock.json', ['host', 'mfe-chat']],
  ['a test', 'mfe-chat/src/main.test.ts', []],
  ['the API', 'api/src/main.ts', []],
])('after a change of %s builds exactly what depends on it', async (_what, path, expected) => {
  await build();
  compiled = [];
  await write(path, '{"changed":true}');
  await build();
  expect(compiled.sort()).toEqual(expected);
});

test('rebuilds when a file is missing from dist', async () => {
  await build();
  await rm(join(root, 'host/dist/main.js'));
  compiled = [];
  await build();
  expect(compiled).toEqual(['host']);
});

test('an interrupted build counts as stale, even if an earlier one was complete', async () => {
  await build();
  await write('host/src/main.ts', 'export const changed = 1');
  await expect(
    build(async () => {
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  await expect(access(join(root, 'host/dist/.build-hash'))).rejects.toThrow(/ENOENT/);

  await write('host/src/main.ts', 'export {}');
  compiled = [];
  await build();
  expect(compiled).toEqual(['host']);
});

test('reports the output of every failing compiler, and retains the successful builds', async () => {
  await expect(
    build(async (workspace) => {
      if (workspace === 'host') throw new Error('host does not build:\nUnexpected token');
      await compile(workspace);
    }),
  ).rejects.toThrow('host does not build:\nUnexpected token');
  expect(await readFile(join(root, 'mfe-chat/dist/.build-hash'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
});

test('two concurrent processes build once', async () => {
  await Promise.all([build(), build(), build()]);
  expect(compiled.sort()).toEqual(['host', 'mfe-chat']);
});

test('takes over the lock of a dead process', async () => {
  await write('node_modules/.cache/build.lock', '999999999');
  await build();
  expect(compiled).toHaveLength(2);
});
