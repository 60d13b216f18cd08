import { access, glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from '@jest/globals';

/**
 * Builds replace a part of Module Federation's runtime and import some files of packages directly. A new version may move them, which would
 * otherwise show as a page that does not start or as scripts that are twice as large.
 */
const root = path.join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

const readJson = async (file: string) => JSON.parse(await readFile(path.join(root, file), 'utf8'));
const versionOf = async (name: string) => (await readJson(`node_modules/${name}/package.json`)).version;

test('the packages of the federation have the exact version that the replaced runtime was written for', async () => {
  const { devDependencies } = await readJson('package.json');
  const names = ['enhanced', 'runtime', 'webpack-bundler-runtime'].map(
    (name) => `@module-federation/${name}`,
  );
  for (const name of names) {
    expect([name, devDependencies[name]]).toEqual([name, devDependencies['@module-federation/enhanced']]);
    expect([name, await versionOf(name)]).toEqual([name, devDependencies[name]]);
  }
});

test('every function that host/src/shared imports from a file of the runtime is there', async () => {
  const imports: [string, string][] = [];
  for await (const file of glob('host/src/shared/*.js', { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const [, names = '', from = ''] of text.matchAll(
      /import \{([^}]+)\} from '(@module-federation\/[^']+)'/g,
    ))
      for (const name of names.split(',')) imports.push([from, name.trim()]);
  }
  expect(imports.length).toBeGreaterThan(5);
  for (const [from, name] of imports) {
    const exported = (await import(from).catch(() => ({}))) as Record<string, unknown>;
    expect(`${from} exports ${name}: ${typeof exported[name]}`).toBe(`${from} exports ${name}: function`);
  }
});

test('the bundler resolves the runtime to the file that rspack.shared.js replaces', () => {
  expect(require.resolve('@module-federation/webpack-bundler-runtime')).toMatch(
    /[\\/]webpack-bundler-runtime[\\/]dist[\\/]index\.cjs$/,
  );
});

test.each([
  'react-router-dom/dist/index.mjs',
  'react-router/dist/production/index.mjs',
  'rxjs/dist/esm/index.js',
  'react/cjs/react-jsx-dev-runtime.development.js',
  'react/cjs/react-jsx-runtime.production.js',
])('%s, which rspack.shared.js names, is there', async (file) => {
  await expect(access(path.join(root, 'node_modules', file))).resolves.toBeUndefined();
});

/** Two copies of React in a page break every hook, and a library that is not eager delays the first screen. */
test('the host alone provides the shared libraries, and remotes refuse versions outside of the contract', async () => {
  const { RANGES, SHARED, sharedByHost, sharedByRemote } = await import(
    path.join(root, 'host/build/shared.js')
  );
  const [host, remote] = [sharedByHost(), sharedByRemote()] as Record<string, Record<string, unknown>>[];
  expect(Object.keys(SHARED)).toEqual(['react', 'react-dom', 'react-router-dom', 'rxjs']);
  for (const [library, { scope }] of Object.entries<{ scope?: string }>(SHARED)) {
    const both = { singleton: true, requiredVersion: RANGES[library], ...(scope && { shareScope: scope }) };
    expect(remote?.[library]).toEqual({ ...both, strictVersion: true, import: false });
    expect(host?.[library]).toMatchObject({ ...both, eager: true, version: await versionOf(library) });
  }
});
