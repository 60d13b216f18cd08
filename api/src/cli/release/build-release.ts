import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { RouteDeclaration, RouteGuard } from '../../contract/releases.ts';
import { ReleaseDescription, STANDARD_SINCE } from '../../releases/data/release-description.ts';
import {
  type BuildToSend,
  describeContents,
  parseDescription,
  readBuildToSend,
  readContents,
} from '../../releases/publish/read-build.ts';
import { createInlineMapFinder } from '../../releases/publish/source-maps.ts';
import {
  describeManifest,
  MF_MANIFEST,
  MfManifest,
  releaseNameOf,
} from '../../releases/standard/mf-manifest.ts';
import { runRspack } from '../compile-with-rspack.ts';
import { CommandFailure } from '../failure.ts';
import type { ReleaseContext, SayRelease } from './release-client.ts';

export interface ReleaseOptions {
  server?: string;
  token?: string;
  version?: string;
  folder?: string;
  address?: string;
  name?: string;
  desk?: string;
  /** Routes of a standard build: path, module, guard and both titles, separated by commas. */
  route?: string[];
  dryRun?: boolean;
  /** Publishes a build that the live host could not open. */
  force?: boolean;
  json?: boolean;
}

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

async function readBuilt(folder: string, options: ReleaseOptions, deps: BuildReleaseDeps) {
  const { say, signal } = deps;
  const { version, name, desk } = options;
  const isOurs = existsSync(join(folder, 'release.json'));
  if (!isOurs && !existsSync(join(folder, MF_MANIFEST)))
    throw new CommandFailure(2, say('notBuilt', { folder }));
  const routes = routesOf(options, say);
  if (isOurs && (name !== undefined || desk !== undefined || routes.length > 0))
    throw new CommandFailure(2, say('onlyStandard', { folder }));
  try {
    const build = isOurs
      ? await readBuildToSend(folder)
      : await readStandardBuild(folder, options, routes, deps);
    assertNoInlineMaps(build, say);
    if (!isOurs) return build;
    const built = build.upload.version;
    if (version === undefined || version === built) return build;
    throw new CommandFailure(2, say('otherVersion', { asked: version, built, folder }));
  } catch (cause) {
    throw asFailure(cause, signal);
  }
}

/** The routes of --route. @throws CommandFailure if one does not have its five fields. */
function routesOf({ route = [] }: ReleaseOptions, say: SayRelease): RouteDeclaration[] {
  return route.map((given) => {
    const [path = '', module = '', guard = '', zh = '', en = '', ...rest] = given
      .split(',')
      .map((field) => field.trim());
    if (!en || rest.length > 0) throw new CommandFailure(2, say('badRoute', { given }));
    return { path, module, guard: guard as RouteGuard, title: { zh, en } };
  });
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

/** desk.json of a standard remote: the fields that its manifest does not contain. */
const Desk = z.strictObject({
  name: z.string().optional(),
  version: z.string().optional(),
  contract: z.string().optional(),
  routes: z.unknown().optional(),
  links: z.unknown().optional(),
});
type Desk = z.infer<typeof Desk>;
const Versioned = z.looseObject({ version: z.string().min(1) });

/** Files of a build that no page loads: pages of its own, declarations, and descriptions of the build. */
const LEFT_OUT =
  /(^|\/)(\.[^/]+|@mf-types[^/]*|[^/]+\.html?)(\/|$)|^(mf-manifest|mf-stats|desk|release)\.json$/i;

/**
 * Reads a build of `@module-federation/enhanced` or `@module-federation/vite` with its mf-manifest.json. The
 * routes are the given ones, or come from desk.json in the folder, in the one above it, or in the working folder.
 * @throws CommandFailure with everything that would prevent the desk from opening it.
 */
async function readStandardBuild(
  folder: string,
  options: ReleaseOptions,
  givenRoutes: readonly RouteDeclaration[],
  { cwd, language, say }: Pick<ReleaseContext, 'language' | 'say'> & { cwd: string },
): Promise<BuildToSend> {
  const path = join(folder, MF_MANIFEST);
  const manifest = parseDescription(MfManifest, await readJson(path), path);
  const { path: deskPath, desk } = await readDesk(options, [folder, dirname(folder), cwd], cwd);
  const hasRoutes = givenRoutes.length > 0;
  if (deskPath === undefined && !hasRoutes) throw new CommandFailure(2, say('noDesk', { folder }));
  const contents = await readFiles(folder);
  const { described, faults } = describeManifest(manifest, { contents, address: options.address });
  if (faults.length > 0) {
    const lines = faults.map((fault) => `  ${fault(language)}`);
    throw new CommandFailure(1, [say('unfitBuild', { folder }), ...lines].join('\n'), {
      error: 'invalid_request',
    });
  }
  const upload = {
    ...described,
    name: options.name ?? desk.name ?? releaseNameOf(manifest.name),
    version: await versionOf(manifest, options, desk, [dirname(folder), cwd], say),
    contract: desk.contract ?? STANDARD_SINCE,
    routes: hasRoutes ? givenRoutes : (desk.routes ?? []),
    ...(desk.links === undefined ? {} : { links: desk.links }),
    template: '',
    commit: commitOf(folder),
    files: describeContents(contents),
  };
  const fromDesk = deskPath ?? '--route';
  const sources = { routes: hasRoutes ? '--route' : fromDesk, links: fromDesk, contract: fromDesk };
  return { upload: parseDescription(ReleaseDescription, upload, path, sources), contents };
}

/** Every regular file below `folder` that a page may load, by path with `/`. */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
  return readContents(folder, paths);
}

async function readDesk(
  { desk }: ReleaseOptions,
  folders: readonly string[],
  cwd: string,
): Promise<{ path?: string; desk: Desk }> {
  const paths =
    desk === undefined ? folders.map((folder) => join(folder, 'desk.json')) : [resolve(cwd, desk)];
  for (const path of paths) {
    const found = await readJson(path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' && desk === undefined) return undefined;
      throw cause;
    });
    if (found !== undefined) return { path, desk: parseDescription(Desk, found, path) };
  }
  return { desk: {} };
}

/** --version, desk.json, the package.json of the project, or the version in the manifest. */
async function versionOf(
  { metaData }: MfManifest,
  { version }: ReleaseOptions,
  desk: Desk,
  folders: readonly string[],
  say: SayRelease,
): Promise<string> {
  const given = version ?? desk.version;
  if (given !== undefined) return given;
  for (const folder of folders) {
    const own = Versioned.safeParse(await readJson(join(folder, 'package.json')).catch(() => undefined));
    if (own.success) return own.data.version;
  }
  const built = metaData.buildInfo?.buildVersion;
  if (built && /^\d/.test(built)) return built;
  throw new CommandFailure(2, say('noVersion'));
}

/** The commit of the sources, with `-dirty` for uncommitted changes; null outside a repository. */
function commitOf(folder: string): string | null {
  const git = (...words: string[]) =>
    execFileSync('git', words, {
      cwd: dirname(folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return git('rev-parse', 'HEAD') + (git('status', '--porcelain', '--', '.') === '' ? '' : '-dirty');
  } catch {
    return null;
  }
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${(cause as Error).message}`);
  }
}
