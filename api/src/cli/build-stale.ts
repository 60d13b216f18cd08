import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { sourceHash } from './source-hash.ts';

export interface BuildDeps {
  /** Root folder of the project. */
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
    const lock = join(deps.root, 'node_modules', '.cache', 'build.lock');
    const onWait = (pid: number) => deps.log(`waiting for the build of process ${pid}`);
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
