import { cp, glob, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundleRelease } from './bundle-release.ts';
import { describePackage } from './describe-package.ts';
import { ALL_OF_API, biomeRules, typeScriptSettings } from './settings-outside.ts';
import { sourcesFrom } from './sources-from.ts';

/**
 * Entry points for remotes and their tools; their imports are included as well. Paths in the package are the
 * same as here.
 */
const ENTRIES = [
  'LICENSE',
  'rspack.shared.js',
  'tsconfig.base.json',
  'host/src/assets.d.ts',
  'host/src/contract.ts',
  'host/src/icons.svg',
  'host/src/index.html',
  'host/src/shared/dev-jsx-runtime.js',
  'host/src/shared/dev-reload.js',
  'host/src/shared/lent-bundler-runtime.js',
  'host/src/shared/react-router-dom.ts',
  'host/src/shared/rxjs.ts',
  'host/src/testing/stand-in-page.tsx',
  'host/src/testing/stand-in-services.ts',
  'host/src/testing/test-remote-contract.tsx',
  'tests/class-names.cjs',
  'tests/compile-for-jest.js',
  'tests/empty.cjs',
  'tests/setup-web.ts',
  'tests/text-of-file.cjs',
  'tests/web-project.js',
];

/**
 * Writes the contract package into the folder `to`: the contracts of host and API, the design system, test
 * stand-ins, facades of shared libraries, the build, tool settings, and the release program. A remote in its own repository needs
 * nothing else of this project. Returns its name and version.
 */
export async function writeContractPackage(
  root: string,
  to: string,
): Promise<{ name: string; version: string }> {
  const described = await describePackage(root);
  const ofApi = await readdir(join(root, 'api/src/contract'));
  const entries = [...ENTRIES, ...ofApi.map((file) => `api/src/contract/${file}`)];
  for await (const path of glob('host/ui/{package.json,README.md,src/**/*.*}', { cwd: root }))
    if (!path.includes('.test.')) entries.push(path);
  for (const path of await sourcesFrom(root, entries)) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await cp(join(root, path), join(to, path));
  }
  await writeFile(
    join(to, ALL_OF_API),
    ofApi.map((file) => `export type * from './contract/${file}';\n`).join(''),
  );
  const write = (path: string, content: object) =>
    writeFile(join(to, path), `${JSON.stringify(content, null, 2)}\n`);
  await write('package.json', described);
  await write('tsconfig.json', typeScriptSettings(await readJson(join(root, 'tsconfig.web.json'))));
  await write('biome.json', biomeRules(await readJson(join(root, 'biome.json'))));
  await cp(join(import.meta.dirname, 'README.md'), join(to, 'README.md'));
  await bundleRelease(to);
  return described;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
