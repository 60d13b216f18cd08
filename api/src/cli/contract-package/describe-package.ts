import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import contents from './contents.json' with { type: 'json' };

export const PACKAGE = 'consultation-desk-contract';

/**
 * It has the version of the contract, and dependencies in the versions of this project: `tools` of contents.json are imported or run by its files.
 */
export async function describePackage(root: string) {
  const { license } = await readPackage(root);
  const shared = await readSharedRanges(root);
  const designSystem = Object.keys((await readPackage(join(root, 'host/ui'))).dependencies);
  const [, version] =
    /HostContractVersion = '([\d.]+)'/.exec(await readFile(join(root, 'host/src/contract.ts'), 'utf8')) ?? [];
  if (!version) throw new Error('host/src/contract.ts must name HostContractVersion');
  return {
    name: PACKAGE,
    version,
    description: 'Tools and types to build, test and release a remote of the consultation desk',
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { 'desk-release': './desk-release.js' },
    exports: {
      './rspack': './rspack.shared.js',
      './jest': './tests/web-project.js',
      './biome': './biome.json',
      './tsconfig.json': './tsconfig.json',
      './package.json': './package.json',
    },
    dependencies: await installed(root, [
      ...contents.tools,
      ...designSystem.filter((name) => !(name in shared)),
    ]),
    peerDependencies: shared,
  };
}

/**
 * Ranges of the libraries that the host provides at run time, one copy per page. They belong to the contract: a newer version may be
 * installed here than the hosts have that a remote is to run in.
 */
export async function readSharedRanges(root: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(root, 'host/src/shared/ranges.json'), 'utf8'));
}

async function installed(root: string, names: readonly string[]): Promise<Record<string, string>> {
  const versions = names.map(async (name) => [
    name,
    (await readPackage(join(root, 'node_modules', name))).version,
  ]);
  return Object.fromEntries(await Promise.all(versions));
}

async function readPackage(folder: string) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    license: string;
  };
}
