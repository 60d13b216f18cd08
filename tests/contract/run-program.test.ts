import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const program = path.join(import.meta.dirname, '../../api/src/cli/run.mjs');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'project-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs a program of a project in `root` with these packages; resolves with its output. */
async function run(root: string, packages: string[], flags: string[] = []): Promise<string> {
  await mkdir(path.join(root, 'api/src/cli'), { recursive: true });
  await cp(program, path.join(root, 'api/src/cli/run.mjs'));
  for (const name of packages) {
    await mkdir(path.join(root, 'node_modules', name), { recursive: true });
    await writeFile(path.join(root, 'node_modules', name, 'package.json'), '{}');
  }
  await writeFile(
    path.join(root, 'hello.ts'),
    'const words: string[] = process.argv.slice(2); console.log(words);',
  );
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...flags, 'api/src/cli/run.mjs', 'hello.ts', 'a', '--b'],
      { cwd: root, env: { ...process.env, NODE_COMPILE_CACHE: undefined } },
      (_, printed, complaint) => resolve(printed + complaint),
    );
  });
}
const ALL = ['koa', '@rspack/cli'];

test('runs TypeScript with its arguments', async () => {
  expect(await run(folder, ALL)).toBe("[ 'a', '--b' ]\n");
});

test('compiled TypeScript stays in the project', async () => {
  await run(folder, ALL);
  expect(await readdir(path.join(folder, 'node_modules/.cache/desk-compiled'))).toHaveLength(1);
});

test.each([
  ['without packages', [], [], 'npm ci'],
  ['without development packages', ['koa'], [], 'npm ci --include=dev'],
  ['on a Node.js without TypeScript', ALL, ['--no-experimental-strip-types'], 'npm rebuild node'],
])('says in one sentence what is missing: %s', async (_, packages, flags, advice) => {
  const said = await run(folder, packages, flags);
  expect(said).toContain(advice);
  expect(said.trim().split('\n')).toHaveLength(1);
});

test.each(['#', '!', '?'])('says that a path with %s cannot be built', async (mark) => {
  const said = await run(path.join(folder, `my${mark}desk`), ALL);
  expect(said).toContain(`"${mark}" in its path`);
  expect(said.trim().split('\n')).toHaveLength(1);
});
