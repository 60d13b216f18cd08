import semver from 'semver';
import { z } from 'zod';
import type { ReleaseAssets, ReleaseUpload } from '../../contract/releases.ts';
import type { LocalizedText } from '../check/rule.ts';
import { assignsGlobal, chunkRegistryOf, scriptFaults } from '../check/script-faults.ts';

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

/** `metaData.remoteEntry.type` of containers that a page can open, by what they are for the page. */
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

/**
 * Derives the description of a release from mf-manifest.json and the files beside it. `faults` lists what
 * would prevent the page from opening it; the description is only valid without any.
 */
export function describeManifest(
  manifest: MfManifest,
  { contents, address }: Built,
): { described: Described; faults: LocalizedText[] } {
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

function faultsOfManifest(
  { metaData, remotes, exposes }: MfManifest,
  address: string | undefined,
): LocalizedText[] {
  const { publicPath, getPublicPath, remoteEntry } = metaData;
  const faults: LocalizedText[] = [];
  if (getPublicPath !== undefined)
    faults.push([
      '构建设置了 getPublicPath；文件的地址由咨询台决定，请去掉它，并设置 output.publicPath: "auto"',
      'the build sets getPublicPath, but the desk chooses the address of the files: remove it and set output.publicPath: "auto"',
    ]);
  else if (publicPath !== 'auto' && (address === undefined || publicPath !== address))
    faults.push([
      `output.publicPath 应为 "auto"（Vite：base: "./"），实际是 "${publicPath ?? ''}"；文件的地址由咨询台决定`,
      `output.publicPath must be "auto" (with Vite base: "./"), got "${publicPath ?? ''}": the desk chooses the address of the files`,
    ]);
  if (!Object.hasOwn(TYPES, remoteEntry.type))
    faults.push([
      `library.type 应为 "module" 或 "var"，实际是 "${remoteEntry.type}"`,
      `library.type must be "module" or "var", got "${remoteEntry.type}"`,
    ]);
  const names = remotes.map(({ federationContainerName }) => federationContainerName ?? '?');
  if (names.length > 0)
    faults.push([
      `构建声明了自己的 remotes（${names.join('、')}）；版本由组合选择，请去掉它们，改用链接`,
      `the build has remotes of its own (${names.join(', ')}), whose versions no composition could choose: remove them and link to their routes instead`,
    ]);
  if (exposes.length === 0)
    faults.push(['没有 exposes，因此没有界面', 'it exposes nothing, so that it has no screen']);
  else if (exposes.every(({ assets }) => firstFilesOf(assets).js.length === 0))
    faults.push([
      'exposes 没有列出文件；请去掉 manifest.disableAssetsAnalyze',
      'its exposes list no files: remove manifest.disableAssetsAnalyze',
    ]);
  return faults;
}

function missingFiles(
  { exposes, shared }: MfManifest,
  entry: string,
  contents: ReadonlyMap<string, Buffer>,
): LocalizedText[] {
  const named = [...exposes, ...shared].flatMap(({ assets: { js, css } }) => [
    ...js.sync,
    ...js.async,
    ...css.sync,
    ...css.async,
  ]);
  const missing = [...new Set([entry, ...named])].filter((path) => !contents.has(path));
  if (missing.length === 0) return [];
  const [zh, en] = listed(missing);
  return [
    [
      `${MF_MANIFEST} 列出了不存在的 ${zh}；请重新构建，并发布整个输出文件夹`,
      `${MF_MANIFEST} lists ${en}, which the folder does not contain: build again and publish the whole output folder`,
    ],
  ];
}

/** The first three paths, and how many there are. */
function listed(paths: readonly string[]): LocalizedText {
  const some = paths.slice(0, 3).join(', ');
  return paths.length > 3
    ? [`${some} 等 ${paths.length} 个文件`, `${some} and ${paths.length - 3} more`]
    : [some, some];
}

function faultsOfEntry(
  source: string,
  { entry, type, container, name }: { entry: string; type: string; container: string; name: string },
  contents: ReadonlyMap<string, Buffer>,
): LocalizedText[] {
  if (type === 'script' && OF_PAGE.has(container))
    return [
      [
        `容器名 ${container} 是页面自己的全局变量；请换一个 name`,
        `the container name ${container} is a global variable of every page: choose another name`,
      ],
    ];
  if (type === 'script' && !assignsGlobal(source, container))
    return [
      [
        `${entry} 没有给全局变量 ${container} 赋值；${MF_MANIFEST} 可能属于另一次构建，或 library.name 与 name 不同`,
        `${entry} does not assign the global variable ${container}: ${MF_MANIFEST} is that of another build, or library.name differs from name`,
      ],
    ];
  if ([...contents].some(([path, bytes]) => isScript(path) && namesContainer(bytes, name))) return [];
  return [
    [
      `${MF_MANIFEST} 属于容器 ${name}，而脚本中没有这个名称：它来自另一次构建`,
      `${MF_MANIFEST} is that of the container ${name}, which no script names: it is from another build`,
    ],
  ];
}

function namesContainer(bytes: Buffer, name: string): boolean {
  return ['"', "'", '`'].some((quote) => bytes.includes(`${quote}${name}${quote}`));
}

/** One fault per kind, with the first files that have it. */
function faultsOfScripts(contents: ReadonlyMap<string, Buffer>): LocalizedText[] {
  const paths = new Map<LocalizedText, string[]>();
  for (const [path, bytes] of contents)
    for (const fault of isScript(path) ? scriptFaults(bytes.toString('utf8')) : [])
      paths.set(fault, [...(paths.get(fault) ?? []), path]);
  return [...paths].map(([[zh, en], all]): LocalizedText => {
    const [zhList, enList] = listed(all);
    return [`${zhList} ${zh}`, `${enList} ${en}`];
  });
}

function secondReact({ shared }: MfManifest, contents: ReadonlyMap<string, Buffer>): LocalizedText[] {
  if (shared.some(({ name }) => name === 'react')) return [];
  const bundled = [...contents].some(
    ([path, bytes]) => isScript(path) && REACT.test(bytes.toString('latin1')),
  );
  return bundled
    ? [
        [
          '构建自带 React，而没有共享它；主机用自己的 React 渲染界面，两份 React 的 hooks 不能混用。请设置 shared: { react: { singleton: true }, "react-dom": { singleton: true } }',
          'it contains React without sharing it, but the host renders screens with its own React, and hooks of two copies do not work together: set shared: { react: { singleton: true }, "react-dom": { singleton: true } }',
        ],
      ]
    : [];
}

function isScript(path: string): boolean {
  return /\.m?js$/.test(path);
}

type Shared = MfManifest['shared'][number];

/** React, and what the build has no copy of (`import: false`). */
function isOfHost({ name, assets: { js } }: Shared): boolean {
  return OF_HOST.includes(name) || js.sync.length + js.async.length === 0;
}

/** Without a range, the major version that it was built with. */
function rangeOf({ requiredVersion, version }: Shared): string {
  if (requiredVersion) return requiredVersion;
  const built = semver.parse(version ?? '');
  return built && requiredVersion !== false ? `^${built.major}.0.0` : '*';
}

/** What loading an exposed module needs at once. */
function firstFilesOf({ js, css }: z.infer<typeof Files>): ReleaseAssets {
  return { js: js.sync, css: css.sync };
}

function joined(folder: string, name: string): string {
  const path = `${folder}/${name}`.replace(/\/{2,}/g, '/');
  return path.replace(/^(?:\.?\/)+/, '');
}
