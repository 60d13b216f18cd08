import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type BuildToSend, readBuildToSend } from '../../compositions/read-build.ts';
import { runRspack } from '../compile-with-rspack.ts';
import { CommandFailure } from '../failure.ts';
import type { SayRelease } from './release-messages.ts';

export interface BuildReleaseDeps {
  /** The project's root folder, which contains the bundler. */
  root: string;
  /** The workspace's folder. */
  cwd: string;
  say: SayRelease;
  progress(text: string): void;
  signal: AbortSignal;
}

/**
 * The release to publish: built from the workspace in `cwd` into a separate folder, leaving its `dist/`
 * unchanged; or read from an existing build in `folder`.
 */
export async function buildRelease(
  { folder, version }: { folder?: string | undefined; version?: string | undefined },
  deps: BuildReleaseDeps,
): Promise<BuildToSend> {
  if (folder !== undefined) return readBuilt(resolve(deps.cwd, folder), version, deps);
  const { root, cwd, say, progress, signal } = deps;
  if (!(await isThere(join(cwd, 'rspack.config.js'))))
    throw new CommandFailure(2, say('nothingToBuild', { folder: cwd }));
  const output = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const name = basename(cwd);
    progress(say('building', { name }));
    await runRspack({
      root,
      folder: cwd,
      name,
      args: ['--output-path', output],
      env: version === undefined ? {} : { RELEASE_VERSION: version },
      signal,
    });
    return await readBuilt(output, version, deps);
  } catch (cause) {
    throw asFailure(cause, signal);
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

async function readBuilt(
  folder: string,
  version: string | undefined,
  { say, signal }: BuildReleaseDeps,
): Promise<BuildToSend> {
  if (!(await isThere(join(folder, 'release.json'))))
    throw new CommandFailure(2, say('notBuilt', { folder }));
  try {
    const build = await readBuildToSend(folder);
    const built = build.upload.version;
    if (version === undefined || version === built) return build;
    throw new CommandFailure(2, say('otherVersion', { asked: version, built, folder }));
  } catch (cause) {
    throw asFailure(cause, signal);
  }
}

/** The output of the bundler, or the problem in release.json, as a failure. */
function asFailure(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof CommandFailure || signal.aborted) return cause;
  return new CommandFailure(1, (cause as Error).message);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
