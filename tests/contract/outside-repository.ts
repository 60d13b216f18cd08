import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describePackage, PACKAGE } from '../../api/src/cli/contract-package/describe-package.ts';
import { repositorySettings } from '../../api/src/cli/new-remote/create-remote.ts';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

export interface OutsideRepository {
  folder: string;
  /** Runs a program of the repository's node_modules, like `npm run`. Rejects with its output if it fails. */
  run(program: string, args?: readonly string[], env?: Record<string, string>): Promise<string>;
  /** The current commit. */
  commit(): Promise<string>;
  remove(): Promise<void>;
}

/**
 * Copies a remote of this project into a separate git repository in a temporary folder: its sources and texts, the
 * package.json and settings of a repository that uses the contract package instead of the workspaces, and
 * that package, packed and installed.
 */
export function moveOutside(remote: string): Promise<OutsideRepository> {
  return openRepository(remote, async (folder) => {
    for (const name of ['src', 'locales'])
      await cp(path.join(root, remote, name), path.join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(await filesOutside(remote)))
      await writeFile(path.join(folder, name), text);
  });
}

/** A git repository in a temporary folder, with the files that `fill` writes and the contract package installed. */
export async function openRepository(
  remote: string,
  fill: (folder: string) => Promise<unknown>,
): Promise<OutsideRepository> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${remote}-`));
  // Jest's NODE_ENV is unknown to builds.
  const { NODE_ENV: _, ...env } = process.env;
  const PATH = `${path.join(folder, 'node_modules/.bin')}:${env.PATH}`;
  const call = async (program: string, args: readonly string[] = [], more: Record<string, string> = {}) => {
    const options = {
      cwd: folder,
      env: { ...env, PATH, ...more },
      timeout: 120_000,
      encoding: 'utf8' as const,
    };
    try {
      const { stdout, stderr } = await run(program, [...args], options);
      return stdout + stderr;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    }
  };
  const git = (...args: string[]) =>
    call('git', ['-c', 'user.name=A Team', '-c', 'user.email=team@example.org', ...args]);

  await fill(folder);
  await install(folder);
  await git('init', '--quiet');
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'move out');
  return {
    folder,
    run: call,
    commit: async () => (await git('rev-parse', 'HEAD')).trim(),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The files outside src/, by name: what CONTRIBUTING describes for a repository of its own. */
async function filesOutside(remote: string): Promise<Record<string, string>> {
  const [inside, desk, build, { version }] = await Promise.all([
    readFile(path.join(root, remote, 'package.json'), 'utf8'),
    readFile(path.join(root, remote, 'desk.json'), 'utf8'),
    readFile(path.join(root, remote, 'rspack.config.js'), 'utf8'),
    describePackage(root),
  ]);
  const { name, version: own, license, type, dependencies } = JSON.parse(inside);
  const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
  return {
    'package.json': json({
      name,
      version: own,
      private: true,
      license,
      type,
      scripts: { release: 'desk-release' },
      dependencies,
      devDependencies: { [PACKAGE]: `^${version}` },
    }),
    'desk.json': desk,
    'rspack.config.js': build.replace("'../rspack.shared.js'", `'${PACKAGE}/rspack'`),
    ...repositorySettings(remote),
  };
}

/**
 * Unpacks the contract package; everything else is linked from this project's node_modules, where npm would
 * download the package's dependencies.
 */
async function install(folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  const contract = path.join(modules, PACKAGE);
  await mkdir(contract, { recursive: true });
  const program = path.join(root, 'api/src/cli/contract-package/pack-contract.ts');
  const { stdout } = await run(process.execPath, [program, modules], { timeout: 120_000 });
  await run('tar', ['--extract', '--strip-components=1', '--file', stdout.trim(), '--directory', contract]);
  await rm(stdout.trim());

  const ours = path.join(root, 'node_modules');
  const workspaces = new Set([
    'host',
    'host-ui',
    'api',
    'embedded-store',
    'mfe-auth',
    'mfe-chat',
    'mfe-records',
  ]);
  const libraries = (await readdir(ours)).filter((name) => !workspaces.has(name) && !name.startsWith('.'));
  for (const name of libraries) await symlink(path.join(ours, name), path.join(modules, name));
  await mkdir(path.join(modules, '.bin'));
  for (const name of await readdir(path.join(ours, '.bin')))
    await symlink(path.join(ours, '.bin', name), path.join(modules, '.bin', name));
  const release = path.join(contract, 'desk-release.js');
  await chmod(release, 0o755);
  await symlink(release, path.join(modules, '.bin/desk-release'));
}
