import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type BuildToSend, readBuildToSend } from '../../releases/publish/read-build.ts';
import { createInlineMapFinder } from '../../releases/publish/source-maps.ts';
import { MF_MANIFEST } from '../../releases/standard/mf-manifest.ts';
import { runRspack } from '../compile-with-rspack.ts';
import { CommandFailure } from '../failure.ts';
import type { ReleaseContext, SayRelease } from '../say.ts';
import { readStandardBuild } from './read-standard-build.ts';
import { type ReleaseOptions, routesOf } from './release-settings.ts';

interface BuildReleaseDeps extends ReleaseContext {
  root: string;
  cwd: string;
}

/**
 * The release to publish: built from the workspace in `cwd` into a separate folder, leaving its `dist/`
 * unchanged; or read from an existing build in `folder`, with its release.json or mf-manifest.json.
 */
export async function buildRelease(options: ReleaseOptions, deps: BuildReleaseDeps): Promise<BuildToSend> {
  const { folder, version } = options;
  if (folder !== undefined) return readBuilt(resolve(deps.cwd, folder), options, deps);
  const { root, cwd, say, progress, signal } = deps;
  if (!existsSync(join(cwd, 'rspack.config.js')))
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
    return await readBuilt(output, options, deps);
  } catch (cause) {
    throw asFailure(cause, signal);
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

async function readBuilt(
  folder: string,
  options: ReleaseOptions,
  deps: BuildReleaseDeps,
): Promise<BuildToSend> {
  const { say, signal } = deps;
  const { version, name, desk, address } = options;
  const isOurs = existsSync(join(folder, 'release.json'));
  if (!isOurs && !existsSync(join(folder, MF_MANIFEST)))
    throw new CommandFailure(2, say('notBuilt', { folder }));
  const routes = routesOf(options, say);
  if (isOurs && (name !== undefined || desk !== undefined || routes.length > 0))
    throw new CommandFailure(2, say('onlyStandard', { folder }));
  try {
    const build = isOurs
      ? await readBuildToSend(folder)
      : await readStandardBuild(folder, { name, version, desk, routes, address }, deps);
    assertNoInlineMaps(build, say);
    if (!isOurs) return build;
    const built = build.upload.version;
    if (version === undefined || version === built) return build;
    throw new CommandFailure(2, say('otherVersion', { asked: version, built, folder }));
  } catch (cause) {
    throw asFailure(cause, signal);
  }
}

function assertNoInlineMaps({ contents }: BuildToSend, say: SayRelease): void {
  const paths = [...contents].flatMap(([path, bytes]) => (createInlineMapFinder(path)(bytes) ? [path] : []));
  if (paths.length > 0)
    throw new CommandFailure(
      1,
      say('inlineMaps', { paths: paths.slice(0, 3).join(', '), count: paths.length }),
    );
}

/** The output of the bundler, or the problem in release.json, as a failure. */
function asFailure(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof CommandFailure || signal.aborted) return cause;
  return new CommandFailure(1, (cause as Error).message);
}
