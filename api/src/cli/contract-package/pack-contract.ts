/**
 * `npm run pack:contract [-- FOLDER]`: packs the contract package for remotes in their own repositories into
 * FOLDER or the working folder, and prints the file name. Publish it to your registry, or put it where their
 * builds can fetch it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeContractPackage } from './write-contract-package.ts';

const root = join(import.meta.dirname, '../../../..');
const destination = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? '.');
try {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'contract-'));
  const { name, version } = await writeContractPackage(root, folder.path);
  const packed = spawnSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination],
    { cwd: folder.path, encoding: 'utf8' },
  );
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.stderr || packed.error?.message}`);
  console.log(join(destination, `${name}-${version}.tgz`));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
