import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { type Configuration, rspack } from '@rspack/core';
import contents from './contents.json' with { type: 'json' };
import { describePackage } from './describe-package.ts';
import { printTypes } from './print-types.ts';
import { readContract } from './read-contract.ts';

/**
 * Writes the contract package into the folder `to`: the contracts of host and API, the design system, test
 * stand-ins, facades of shared libraries, the build, tool settings, and the release program: the entry points in contents.json
 * with their imports, under the same paths. A remote in its own repository needs
 * nothing else of this project. Returns its name and version.
 */
export async function writeContractPackage(root: string, to: string) {
  const described = await describePackage(root);
  const entries = [...contents.entries];
  for await (const path of glob('host/ui/{package.json,README.md,locales/**/*.json,src/**/*.*}', {
    cwd: root,
  }))
    if (!path.includes('.test.')) entries.push(path);
  for await (const path of glob('api/locales/*/*.json', { cwd: root })) entries.push(path);
  for (const path of await sourcesFrom(root, entries)) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await cp(join(root, path), join(to, path));
  }
  await writeTypesOfApi(root, to);
  const write = (path: string, content: object) =>
    writeFile(join(to, path), `${JSON.stringify(content, null, 2)}\n`);
  await write('package.json', described);
  await write('tsconfig.json', typeScriptSettings(await readJson(join(root, 'tsconfig.web.json'))));
  await write('biome.json', biomeRules(await readJson(join(root, 'biome.json'))));
  await cp(join(import.meta.dirname, 'README.md'), join(to, 'README.md'));
  await bundleRelease(to);
  return described;
}

/** The bodies of the API, which are schemas here, as plain types. */
async function writeTypesOfApi(root: string, to: string): Promise<void> {
  const contract = await readContract(root);
  const files = [...new Set(contract.types.map(({ file }) => file))];
  for (const file of files)
    await writeFile(join(to, `api/src/contract/${file}.d.ts`), printTypes(contract, file));
  await writeFile(
    join(to, ALL_OF_API),
    [...files.map((file) => `${file}.js`), 'language.ts']
      .map((file) => `export type * from './contract/${file}';\n`)
      .join(''),
  );
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

/** Relative imports and exports, and @import of style sheets; with the name of a chunk in a comment. Imports of packages are ignored. */
const RELATIVE = /(?:\bfrom|\bimport|@import)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?['"](\.{1,2}\/[^'"]+)['"]/g;
const READ = new Set(['.ts', '.tsx', '.js', '.css']);

/** `entries` with all their direct and indirect imports, sorted, relative to `root`. Rejects if missing. */
async function sourcesFrom(root: string, entries: readonly string[]): Promise<string[]> {
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

/** All types in one file, which only the package has: remotes built for an earlier contract import it. */
const ALL_OF_API = 'api/src/all-of-contract.ts';

type TsConfig = { compilerOptions: { paths: Record<string, string[]> } };

/** tsconfig.web.json for the package's folder; a remote's needs only `extends` and `include`. */
function typeScriptSettings({ compilerOptions, ...others }: TsConfig): object {
  // Libraries are installed beside the package, not below it.
  const libraries = Object.entries(compilerOptions.paths).map(([name, files]) => [
    name,
    files.map((file) => file.replace('./node_modules/', '../')),
  ]);
  const paths = {
    ...Object.fromEntries(libraries),
    'host/contract': ['./host/src/contract.ts'],
    'host/stand-ins': ['./host/src/testing/stand-in-services.ts'],
    'host/stand-ins/page': ['./host/src/testing/stand-in-page.tsx'],
    'host/stand-ins/contract': ['./host/src/testing/test-remote-contract.tsx'],
    'api/contract': [`./${ALL_OF_API}`],
    'api/contract/*': ['./api/src/contract/*.d.ts', './api/src/contract/*.ts'],
  };
  // A single program without output, whereas this project has one per workspace.
  const alone = { composite: false, emitDeclarationOnly: false, noEmit: true };
  return { ...others, compilerOptions: { ...compilerOptions, ...alone, paths } };
}

type BiomeConfig = Record<string, unknown> & { overrides: { includes: string[] }[] };

/** biome.json's general rules, and its rules for remotes, whose files are in the root folder there. */
function biomeRules({ $schema: _, vcs: __, files: ___, overrides, ...rules }: BiomeConfig): object {
  const remotes = overrides.map((override) => ({
    ...override,
    includes: override.includes
      .filter((path) => path.startsWith('mfe-'))
      .map((path) => path.slice(path.indexOf('/') + 1)),
  }));
  return { ...rules, overrides: remotes.filter(({ includes }) => includes.length > 0) };
}

/** Bundles `<to>/desk-release.js` with all imports: Node runs no TypeScript below node_modules. */
async function bundleRelease(to: string): Promise<void> {
  const config: Configuration = {
    context: import.meta.dirname,
    mode: 'production',
    target: 'node24',
    devtool: false,
    entry: { 'desk-release': './desk-release.ts' },
    output: {
      path: to,
      filename: '[name].js',
      module: true,
      chunkFormat: 'module',
      library: { type: 'module' },
    },
    module: {
      rules: [
        {
          test: /\.ts$/,
          loader: 'builtin:swc-loader',
          options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' } },
        },
      ],
    },
    plugins: [
      new rspack.BannerPlugin({ banner: '#!/usr/bin/env node', raw: true }),
      // The texts are files of the package, found from the path of the module that reads them.
      new rspack.DefinePlugin({ 'import.meta.dirname': `(import.meta.dirname + '/api/src/i18n')` }),
    ],
    // Not minimised, so that it can be read.
    optimization: { minimize: false },
  };
  const compiler = rspack(config);
  const problems = await new Promise<string>((resolve, reject) => {
    compiler.run((error, stats) => {
      compiler.close(() => undefined);
      if (error) reject(error);
      else resolve(stats?.hasErrors() ? stats.toString('errors-only') : '');
    });
  });
  if (!problems) return;
  await rm(join(to, 'desk-release.js'), { force: true });
  throw new Error(`desk-release does not bundle:\n${problems}`);
}
