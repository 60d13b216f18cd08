import semver from 'semver';
import { z } from 'zod';
import type { ReleaseAssets, ReleaseUpload } from '../../contract/releases.ts';
import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import { assignsGlobal, chunkRegistryOf, scriptFaults } from '../check/content-faults.ts';

const textOf = textsOf('findings');

/** The name of the file that Module Federation's plugins write beside a container. */
export const MF_MANIFEST = 'mf-manifest.json';

/** Screens are rendered by the host's React: another copy would have hooks of its own. */
const OF_HOST = ['react', 'react-dom'];
/** A text that every copy of React contains. */
const REACT = /__CLIENT_INTERNALS_DO_NOT_USE|__SECRET_INTERNALS_DO_NOT_USE/;

/** Global variables of pages that a container is most likely to be named after; the page refuses all of them. */
const OF_PAGE: ReadonlySet<string> = new Set(
  'alert close closed confirm crypto document event external fetch focus frames history length location menubar name navigator open opener origin parent performance print prompt screen self status stop top window'.split(
    ' ',
  ),
);

/** `metaData.remoteEntry.type` of containers that a page can open, with the way in which the page loads them. */
const TYPES: Readonly<Record<string, 'module' | 'script'>> = {
  module: 'module',
  esm: 'module',
  global: 'script',
  var: 'script',
  window: 'script',
  self: 'script',
  assign: 'script',
};

const Paths = z.looseObject({
  sync: z.array(z.string()).default([]),
  async: z.array(z.string()).default([]),
});
const Files = z.looseObject({ js: Paths, css: Paths });

/** mf-manifest.json: the fields that describe a release. Others are ignored. */
export const MfManifest = z.looseObject({
  name: z.string().min(1).max(200),
  metaData: z.looseObject({
    globalName: z.string().optional(),
    publicPath: z.string().optional(),
    getPublicPath: z.string().optional(),
    buildInfo: z.looseObject({ buildVersion: z.string().optional() }).optional(),
    remoteEntry: z.looseObject({
      name: z.string().min(1),
      path: z.string().default(''),
      type: z.string().default('global'),
    }),
  }),
  shared: z
    .array(
      z.looseObject({
        name: z.string(),
        version: z.string().nullish(),
        requiredVersion: z.union([z.string(), z.literal(false)]).nullish(),
        assets: Files,
      }),
    )
    .default([]),
  remotes: z.array(z.looseObject({ federationContainerName: z.string().optional() })).default([]),
  exposes: z.array(z.looseObject({ path: z.string(), assets: Files })).default([]),
});
export type MfManifest = z.infer<typeof MfManifest>;

type Described = Pick<
  ReleaseUpload,
  'container' | 'entry' | 'entryFiles' | 'exposes' | 'shared' | 'styleMarks'
> &
  Required<Pick<ReleaseUpload, 'standard'>>;

interface Built {
  /** Files of the folder, by path. */
  contents: ReadonlyMap<string, Buffer>;
  /** Where the team hosts the files, if it does. */
  address?: string | undefined;
}

/** Describes a build by its mf-manifest.json and the files beside it. It is usable if there are no `faults`. */
export function describeManifest(manifest: MfManifest, { contents, address }: Built) {
  const { remoteEntry, globalName } = manifest.metaData;
  const entry = joined(remoteEntry.path, remoteEntry.name);
  const type = TYPES[remoteEntry.type] ?? 'module';
  const container = (type === 'script' && globalName) || manifest.name;
  const source = contents.get(entry)?.toString('utf8') ?? '';
  const chunks = type === 'script' ? chunkRegistryOf(source) : undefined;
  const needed = manifest.shared.filter(isOfHost);
  const described: Described = {
    container,
    entry,
    entryFiles: { js: [entry], css: [] },
    exposes: Object.fromEntries(manifest.exposes.map(({ path, assets }) => [path, firstFilesOf(assets)])),
    shared: Object.fromEntries(needed.map((library) => [library.name, rangeOf(library)])),
    styleMarks: {},
    standard: {
      type,
      ...(chunks === undefined ? {} : { chunks }),
      own: Object.fromEntries(
        manifest.shared
          .filter((library) => !isOfHost(library))
          .map(({ name, version }) => [name, version || '0']),
      ),
    },
  };
  const faults = [
    ...faultsOfManifest(manifest, address),
    ...missingFiles(manifest, entry, contents),
    ...(source ? faultsOfEntry(source, { entry, type, container, name: manifest.name }, contents) : []),
    ...faultsOfScripts(contents),
    ...secondReact(manifest, contents),
  ];
  return { described, faults };
}

/** The name of a release whose container has this name: `federation_tickets` becomes `federation-tickets`. */
export function releaseNameOf(container: string): string {
  return container
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+|-+$/g, '');
}

function faultsOfManifest({ metaData, remotes, exposes }: MfManifest, address: string | undefined): Text[] {
  const { publicPath, getPublicPath, remoteEntry } = metaData;
  const faults: Text[] = [];
  if (getPublicPath !== undefined) faults.push(textOf('get_public_path'));
  else if (publicPath !== 'auto' && (address === undefined || publicPath !== address))
    faults.push(textOf('public_path', { path: publicPath ?? '' }));
  if (!Object.hasOwn(TYPES, remoteEntry.type))
    faults.push(textOf('library_type', { type: remoteEntry.type }));
  const names = remotes.map(({ federationContainerName }) => federationContainerName ?? '?');
  if (names.length > 0) faults.push(textOf('own_remotes', { remotes: listOf(names) }));
  if (exposes.length === 0) faults.push(textOf('no_exposes'));
  else if (exposes.every(({ assets }) => firstFilesOf(assets).js.length === 0))
    faults.push(textOf('no_assets'));
  return faults;
}

function missingFiles({ exposes, shared }: MfManifest, entry: string, contents: ReadonlyMap<string, Buffer>) {
  const named = [...exposes, ...shared].flatMap(({ assets: { js, css } }) => [
    ...js.sync,
    ...js.async,
    ...css.sync,
    ...css.async,
  ]);
  const missing = [...new Set([entry, ...named])].filter((path) => !contents.has(path));
  if (missing.length === 0) return [];
  return [textOf('not_in_folder', { manifest: MF_MANIFEST, files: firstOf(missing) })];
}

/** The first three paths, and how many there are. */
function firstOf(paths: readonly string[]): string | Text {
  const files = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? textOf('more_files', { files, rest: paths.length - 3 }) : files;
}

function faultsOfEntry(
  source: string,
  { entry, type, container, name }: { entry: string; type: string; container: string; name: string },
  contents: ReadonlyMap<string, Buffer>,
): Text[] {
  if (type === 'script' && OF_PAGE.has(container)) return [textOf('container_reserved', { container })];
  if (type === 'script' && !assignsGlobal(source, container))
    return [textOf('global_unassigned', { entry, container, manifest: MF_MANIFEST })];
  if ([...contents].some(([path, bytes]) => isScript(path) && namesContainer(bytes, name))) return [];
  return [textOf('other_build', { manifest: MF_MANIFEST, name })];
}

function namesContainer(bytes: Buffer, name: string): boolean {
  return ['"', "'", '`'].some((quote) => bytes.includes(`${quote}${name}${quote}`));
}

/** One fault per kind, with the first files that have it. */
function faultsOfScripts(contents: ReadonlyMap<string, Buffer>): Text[] {
  const paths = new Map<Text, string[]>();
  for (const [path, bytes] of contents)
    for (const fault of isScript(path) ? scriptFaults(bytes.toString('utf8')) : [])
      paths.set(fault, [...(paths.get(fault) ?? []), path]);
  return [...paths].map(([fault, all]) => textOf('faulty_scripts', { files: firstOf(all), fault }));
}

function secondReact({ shared }: MfManifest, contents: ReadonlyMap<string, Buffer>): Text[] {
  if (shared.some(({ name }) => name === 'react')) return [];
  const bundled = [...contents].some(
    ([path, bytes]) => isScript(path) && REACT.test(bytes.toString('latin1')),
  );
  return bundled ? [textOf('own_react')] : [];
}

function isScript(path: string): boolean {
  return /\.m?js$/.test(path);
}

type Shared = MfManifest['shared'][number];

/** React, and shared libraries of which the build has no copy (`import: false`). */
function isOfHost({ name, assets: { js } }: Shared): boolean {
  return OF_HOST.includes(name) || js.sync.length + js.async.length === 0;
}

/** The required range; if there is none, the major version that it was built with. */
function rangeOf({ requiredVersion, version }: Shared): string {
  if (requiredVersion) return requiredVersion;
  const built = semver.parse(version ?? '');
  return built && requiredVersion !== false ? `^${built.major}.0.0` : '*';
}

/** The files that an exposed module needs when it is loaded. */
function firstFilesOf({ js, css }: z.infer<typeof Files>): ReleaseAssets {
  return { js: js.sync, css: css.sync };
}

function joined(folder: string, name: string): string {
  const path = `${folder}/${name}`.replace(/\/{2,}/g, '/');
  return path.replace(/^(?:\.?\/)+/, '');
}
