import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createRemote } from './create-remote.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'new-remote-'));
  await writeFile(join(root, 'package.json'), '{"workspaces":["host","api"]}');
  await writeFile(join(root, 'tsconfig.json'), '{"references":[{"path":"./host"}]}');
  await symlink(join(import.meta.dirname, '../../../../node_modules'), join(root, 'node_modules'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));

test('a new workspace declares its route, exposes its screen, and is known to npm and the compiler', async () => {
  const { folder } = await createRemote({ root, name: 'mfe-help-tickets' });

  expect(folder).toBe(join(root, 'mfe-help-tickets'));
  expect((await read('mfe-help-tickets/desk.json')).routes).toMatchObject([
    { path: '/help-tickets', module: './help-tickets', title: { en: 'Help tickets' } },
  ]);
  expect(await readFile(join(folder, 'rspack.config.js'), 'utf8')).toContain(
    "exposes: { './help-tickets': './src/help-tickets.tsx' }",
  );
  expect((await read('package.json')).workspaces).toEqual(['host', 'api', 'mfe-help-tickets']);
  expect((await read('tsconfig.json')).references).toContainEqual({ path: './mfe-help-tickets' });
});

test.each(['tickets', 'mfe-', 'mfe-Tickets', '../mfe-tickets', `mfe-${'a'.repeat(40)}`])(
  'refuses the name %s and writes nothing',
  async (name) => {
    const before = await readdir(root);
    await expect(createRemote({ root, name })).rejects.toThrow('must look like mfe-tickets');
    expect(await readdir(root)).toEqual(before);
  },
);

test('refuses a folder that has files', async () => {
  await createRemote({ root, name: 'mfe-tickets' });
  await expect(createRemote({ root, name: 'mfe-tickets' })).rejects.toThrow('must be empty or missing');
  expect((await read('package.json')).workspaces).toEqual(['host', 'api', 'mfe-tickets']);
});
