import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createRemote } from './create-remote.ts';

const project = join(import.meta.dirname, '../../../..');
const TSCONFIG = `{
  "files": [],
  "references": [
    { "path": "./host" },
    { "path": "./api" }
  ]
}
`;

let root: string;
beforeEach(async () => {
  root = await temporaryFolder('new-remote');
  await writeFile(join(root, 'package.json'), '{"workspaces":["host","api"]}');
  await writeFile(join(root, 'tsconfig.json'), TSCONFIG);
  await mkdir(join(root, 'host/src/shared'), { recursive: true });
  for (const path of [
    'biome.json',
    'host/src/contract.ts',
    'host/src/shared/ranges.json',
    'host/ui/package.json',
  ])
    await cp(join(project, path), join(root, path));
  await writeFile(join(root, 'host/desk.json'), '{"routes":[{"path":"/composition"}]}');
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'));

test('a new workspace declares its route, exposes its screen, and is known to npm and the compiler', async () => {
  const { folder } = await createRemote(root, 'mfe-help-tickets');

  expect(folder).toBe(join(root, 'mfe-help-tickets'));
  expect((await read('mfe-help-tickets/desk.json')).routes).toMatchObject([
    { path: '/help-tickets', module: './help-tickets', title: { en: 'Help tickets' } },
  ]);
  expect(await readFile(join(folder, 'rspack.config.js'), 'utf8')).toContain(
    "exposes: { './help-tickets': './src/help-tickets.tsx' }",
  );
  expect((await read('package.json')).workspaces).toEqual(['host', 'api', 'mfe-help-tickets']);
  expect(await readFile(join(root, 'tsconfig.json'), 'utf8')).toBe(
    TSCONFIG.replace('"./api" }', '"./api" },\n    { "path": "./mfe-help-tickets" }'),
  );
});

// Imports are sorted by name: before and after those of the other files. The longest do not fit in a line.
const NAMES = ['mfe-a', 'mfe-outside', 'mfe-zoo', 'mfe-v2-9', 'mfe-t1', `mfe-${'long-'.repeat(7)}n`];

test.each([...NAMES, 'mfe-texts', 'mfe-standalone', 'mfe-contract'])(
  '%s is in the format that its own check demands, here and in a repository of its own',
  async (name) => {
    const settings = await read('biome.json');
    await writeFile(join(root, 'biome.json'), JSON.stringify({ ...settings, vcs: undefined }));
    await createRemote(root, name);
    await createRemote(root, name, join(root, 'outside'));

    const screen = (await read(`${name}/desk.json`)).routes[0].module;
    expect(await readFile(join(root, name, 'rspack.config.js'), 'utf8')).toContain(`'${screen}'`);
    await rm(join(root, 'outside/biome.json'));
    const biome = join(project, 'node_modules/@biomejs/biome/bin/biome');
    await promisify(execFile)(process.execPath, [biome, 'check', name, 'outside'], { cwd: root });
  },
);

test('dev servers of repositories have their own ports, which the README names', async () => {
  const ports = await Promise.all(
    ['mfe-orders', 'mfe-tickets'].map(async (name) => {
      const { folder } = await createRemote(root, name, join(root, `${name}-repository`));
      const [, port = ''] =
        /port: (\d+)/.exec(await readFile(join(folder, 'rspack.config.js'), 'utf8')) ?? [];
      const readme = await readFile(join(folder, 'README.md'), 'utf8');
      expect(readme).toContain(`http://127.0.0.1:${port}/`);
      expect(readme).toContain('Node.js 24');
      return port;
    }),
  );
  expect(new Set(ports).size).toBe(2);
});

test('a new remote requires the shared libraries of the contract, not the installed versions', async () => {
  const ranges = { react: '^19.0.1', 'react-dom': '^19.0.1', 'react-router-dom': '^7.1.0', rxjs: '^7.0.0' };
  await writeFile(join(root, 'host/src/shared/ranges.json'), JSON.stringify(ranges));
  await createRemote(root, 'mfe-tickets');
  expect((await read('mfe-tickets/package.json')).dependencies).toEqual(ranges);
});

test.each([
  ['mfe-releases', 'the path /releases is reserved'],
  ['mfe-composition', 'the path /composition belongs to host'],
])('refuses the name %s, whose path could not go live', async (name, reason) => {
  const before = await readdir(root);
  await expect(createRemote(root, name)).rejects.toThrow(reason);
  expect(await readdir(root)).toEqual(before);
});

test.each(['tickets', 'mfe-', 'mfe-Tickets', '../mfe-tickets', `mfe-${'a'.repeat(40)}`])(
  'refuses the name %s and writes nothing',
  async (name) => {
    const before = await readdir(root);
    await expect(createRemote(root, name)).rejects.toThrow('must look like mfe-tickets');
    expect(await readdir(root)).toEqual(before);
  },
);

test('refuses a folder that has files', async () => {
  await createRemote(root, 'mfe-tickets');
  await expect(createRemote(root, 'mfe-tickets')).rejects.toThrow('must be empty or missing');
  expect((await read('package.json')).workspaces).toEqual(['host', 'api', 'mfe-tickets']);
});
