import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import sources from './build-sources.json' with { type: 'json' };

interface BuildDeps {
  root: string;
  /** Compiles one workspace into its `dist/`. Rejects with the compiler's output. */
  compile: (workspace: string) => Promise<void>;
  log: (line: string) => void;
}

/** Written to `dist/` last: an interrupted build has no such file and is repeated. */
const HASH_FILE = '.build-hash';

/**
 * Builds every web workspace whose `dist/` is out of date, and returns all `dist/` folders. Several processes
 * may call it at once: one builds, the others wait. Rejects after all builds have ended, with the messages of
 * the failed ones.
 */
export async function buildStale(deps: BuildDeps): Promise<string[]> {
  const workspaces = await webWorkspaces(deps.root);
  if ((await staleOf(workspaces, deps.root)).length > 0) {
    const lock = join(deps.root, 'node_modules', '.cache', 'build-lock.sqlite');
    const onWait = () => deps.log('waiting for the build of another process');
    await withBuildLock(lock, async () => buildAll(await staleOf(workspaces, deps.root), deps), onWait);
  }
  return workspaces.map((workspace) => distOf(deps.root, workspace));
}

interface Stale {
  workspace: string;
  hash: string;
}

async function buildAll(stale: Stale[], deps: BuildDeps): Promise<void> {
  if (stale.length === 0) return;
  deps.log(`building ${stale.map(({ workspace }) => workspace).join(', ')}`);
  const results = await Promise.allSettled(stale.map((one) => build(one, deps)));
  const failures = results
    .filter((result) => result.status === 'rejected')
    .map(({ reason }) => reason as Error);
  if (failures.length > 0) throw new Error(failures.map(({ message }) => message).join('\n\n'));
}

async function build({ workspace, hash }: Stale, { root, compile, log }: BuildDeps): Promise<void> {
  const start = performance.now();
  const hashFile = join(distOf(root, workspace), HASH_FILE);
  await rm(hashFile, { force: true });
  await compile(workspace);
  await writeFile(hashFile, hash);
  log(`built ${workspace} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

async function staleOf(workspaces: string[], root: string): Promise<Stale[]> {
  const hashes = await Promise.all(workspaces.map((workspace) => sourceHash(root, workspace)));
  const all = workspaces.map((workspace, index) => ({ workspace, hash: hashes[index]! }));
  const built = await Promise.all(all.map((one) => isBuilt(one, root)));
  return all.filter((_, index) => !built[index]);
}

/** Whether the build matches the current sources and all of its files still exist. */
async function isBuilt({ workspace, hash }: Stale, root: string): Promise<boolean> {
  const dist = distOf(root, workspace);
  try {
    if ((await readFile(join(dist, HASH_FILE), 'utf8')) !== hash) return false;
    const { files } = JSON.parse(await readFile(join(dist, 'release.json'), 'utf8')) as { files: string[] };
    await Promise.all(files.map((path) => access(join(dist, path))));
    return true;
  } catch {
    return false; // Missing or unreadable: rebuild.
  }
}

/** The workspaces with a bundler configuration. */
export async function webWorkspaces(root: string): Promise<string[]> {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const listings = await Promise.all(workspaces.map((workspace) => readdir(join(root, workspace))));
  return workspaces.filter((_, index) => listings[index]!.includes('rspack.config.js'));
}

function distOf(root: string, workspace: string): string {
  return join(root, workspace, 'dist');
}

const NOT_SHIPPED = /\.test\.tsx?$|\/testing\/|\/standalone\.tsx$/;

/**
 * SHA-256 (hex) of all sources of a workspace's build, tests excluded: the files and folders of build-sources.json, of all builds and
 * of the workspace. A missing file changes the hash.
 */
async function sourceHash(root: string, workspace: string): Promise<string> {
  const all = [...sources.shared, ...sources.own.map((path) => `${workspace}/${path}`)];
  const found = await Promise.all(all.map((path) => filesBelow(join(root, path))));
  const files = [...new Set(found.flat())].filter((file) => !NOT_SHIPPED.test(file)).sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256').update(process.versions.node.split('.', 1)[0] ?? '');
  files.forEach((file, index) => {
    hash.update(`\n${relative(root, file)} ${contents[index]!.length}\n`).update(contents[index]!);
  });
  return hash.digest('hex');
}

/** The file itself, or every file in the folder; empty if it does not exist. */
async function filesBelow(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return [path];
    if (code === 'ENOENT') return [];
    throw error;
  }
}

const POLL_MS = 200;

/**
 * Runs `work` while no other process on this machine does so with the same lock file. A process that waits calls
 * `onWait` once. The operating system releases the lock of a process that dies.
 */
async function withBuildLock<T>(path: string, work: () => Promise<T>, onWait: () => void): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  using lock = new DatabaseSync(path);
  for (let hasWaited = false; !isAcquired(lock); hasWaited = true) {
    if (!hasWaited) onWait();
    await wait(POLL_MS);
  }
  return await work();
}

/** Code of SQLite for a database that another connection has locked. */
const SQLITE_BUSY = 5;

function isAcquired(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
