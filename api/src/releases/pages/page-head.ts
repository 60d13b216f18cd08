import { createHash } from 'node:crypto';
import type { Language } from '../../contract/language.ts';
import {
  type PageComposition,
  PageRelease,
  type PageRemote,
  type PageRoute,
  type ToolComposition,
  type ToolImportMap,
  type ToolRelease,
} from '../../contract/pages.ts';
import { escapeHtml } from '../../http/plain-page.ts';
import { describeAs } from '../../store/describe-as.ts';
import { partsOf } from '../data/changes-between.ts';
import { type Assets, type Release, type Route, rangesOf } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';
import { liveRoutesOf, type ResolvedComposition, type ResolvedPart } from '../live/live-composition.ts';

export interface PageHead {
  /** Content of the page's `<head>`. */
  html: string;
  /** `sha256-…` of the import map. */
  importMapHash: string;
  /** The hash of every style element. */
  styleHashes: string[];
}

/** Everything that a page is made from: its composition, the visit, and the settings of the desk. */
export interface PageContent
  extends Pick<PageComposition, 'avatars' | 'environment' | 'worker' | 'override' | 'desk'> {
  composition: ResolvedComposition;
  routes: readonly Route[];
  /** undefined if the requested path is none of the routes. */
  route: Route | undefined;
  /** Begins every address of the desk: '/desk', or ''. */
  basePath: string;
  /** That of the first state, and of the texts which are preloaded. */
  language: Language;
  /** The theme that the visitor has chosen; undefined follows the browser's. */
  theme: 'light' | 'dark' | undefined;
  /** The names of the address's parameters. */
  parameters: readonly string[];
  /** Number of places in the menu, see `menuPlaces`. */
  menuEntries: number;
}

/**
 * Delays the first paint until the first state has arrived completely: parts that are painted earlier would move. The link names an
 * empty element after it, because browsers only wait for its start tag. For browsers without support for such links, the host's
 * style sheet (base.css) hides an incomplete first state.
 */
export const WHOLE_FIRST_STATE = {
  link: '<link rel="expect" href="#first-end" blocking="render">',
  end: '<i id="first-end" hidden></i>',
};

/**
 * Renders the part of index.html that depends on the composition: the import map with the integrity of every
 * script of live and previous releases, the composition as JSON, preload links for the requested route, and
 * the integrity of every style sheet. `styles` of the first state are part of the page instead of files.
 */
export function renderPageHead(page: PageContent, styles?: { host: string; screen: string }): PageHead {
  const { composition, route, basePath, language } = page;
  const importMap = inlineJson({ integrity: integrityOf(composition, /\.m?js$/) });
  const { host } = composition;
  const hostFiles = withTexts(host.live.entryFiles, language);
  const remote = composition.remotes.find(({ live }) => live.name === route?.remote)?.live;
  const screen = remote?.exposes.find(({ name }) => name === route?.module);
  const html = [
    // Must precede everything that loads a module; an import map does not apply to earlier loads.
    `<script type="importmap">${importMap}</script>`,
    ...(styles ? [WHOLE_FIRST_STATE.link, `<style>${styles.host}</style>`] : []),
    // The remote's loader adds its sheets again, see host/src/first-state/take-over.ts.
    ...(styles?.screen ? [`<style id="first-styles">${styles.screen}</style>`] : []),
    ...links(host.live, styles ? { ...hostFiles, css: [] } : hostFiles),
    ...(remote && screen ? hints(remote, merged(remote.entryFiles, withTexts(screen, language))) : []),
    `<script type="application/json" id="composition">${inlineJson(describe(page))}</script>`,
    `<script type="module" src="${escapeHtml(address(host.live, host.live.entry))}"${proof(host.live, host.live.entry)}></script>`,
    `<link rel="icon" type="image/svg+xml" href="${basePath}/chatbot/favicon.svg">`,
    `<link rel="manifest" href="${basePath}/chatbot/manifest.webmanifest">`,
    // Import maps do not cover style sheets: the bundled loader looks up their integrity here. Placed last,
    // since nothing needs it at the start.
    `<script type="application/json" id="styles">${inlineJson(integrityOf(composition, /\.css$/))}</script>`,
  ].join('\n    ');
  return {
    html,
    importMapHash: sha256(importMap),
    styleHashes: styles ? [styles.host, styles.screen].filter(Boolean).map(sha256) : [],
  };
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

export function address(release: Release, path: string): string {
  return release.base + path;
}

export function releasesOf(composition: ResolvedComposition): Release[] {
  return partsOf(composition).flatMap(({ live, previous }) => (previous ? [live, previous] : [live]));
}

function integrityOf(composition: ResolvedComposition, kind: RegExp): Record<string, string> {
  const files = releasesOf(composition).flatMap((release) =>
    release.files
      .filter(({ path }) => kind.test(path))
      .map(({ path, integrity }) => [address(release, path), integrity] as const),
  );
  return Object.fromEntries(files);
}

function links(release: Release, { js, css }: Assets): string[] {
  return [
    ...css.map((path) => `<link rel="stylesheet" ${href(release, path)}${mark(release, path)}>`),
    ...modulePreloads(release, js),
  ];
}

/** Preloads only, which the remote's loader adds: a stylesheet link of a slow server blocks the page. */
function hints(release: Release, { js, css }: Assets): string[] {
  return [
    ...css.map((path) => `<link rel="preload" as="style" ${hrefLikeTheLoaders(release, path)}>`),
    ...(release.standard?.type === 'script'
      ? js.map((path) => `<link rel="preload" as="script" ${href(release, path)}>`)
      : modulePreloads(release, js)),
  ];
}

function modulePreloads(release: Release, js: readonly string[]): string[] {
  return js.map((path) => `<link rel="modulepreload" ${href(release, path)}>`);
}

function href(release: Release, path: string): string {
  return `href="${escapeHtml(address(release, path))}"${proof(release, path)}`;
}

/** The bundler's loader sets `crossorigin` for other origins only; another mode loads it twice. */
function hrefLikeTheLoaders(release: Release, path: string): string {
  return isElsewhere(release) ? href(release, path) : href(release, path).replace(/ crossorigin$/, '');
}

/** Without integrity a preloaded script loads twice; without crossorigin it could not be checked. */
function proof(release: Release, path: string): string {
  const file = release.files.find((listed) => listed.path === path);
  return file ? ` integrity="${file.integrity}" crossorigin` : ' crossorigin';
}

/** The attribute by which the bundler's loader finds the link; without it the style sheet would be added again. */
function mark(release: Release, path: string): string {
  const found = release.files.find((listed) => listed.path === path)?.mark;
  return found ? ` data-rspack="${escapeHtml(found)}"` : '';
}

/** `assets` with the scripts of the texts in this language. */
function withTexts({ js, css, texts }: Assets, language: Language): Assets {
  return { js: [...js, ...(texts?.[language] ?? [])], css };
}

function merged(a: Assets, b: Assets): Assets {
  return { js: [...new Set([...a.js, ...b.js])], css: [...new Set([...a.css, ...b.css])] };
}

function describe({ composition, ...page }: PageContent): PageComposition {
  const { id, host, remotes } = composition;
  const { routes, avatars, environment, worker, override, desk, language } = page;
  return {
    id,
    host: describePart(host, language),
    remotes: Object.fromEntries(remotes.map((part) => [part.live.name, describePart(part, language)])),
    language,
    routes: describeRoutes(routes),
    avatars,
    ...(environment ? { environment } : {}),
    ...(worker ? { worker } : {}),
    ...(override ? { override } : {}),
    ...(desk ? { desk } : {}),
  };
}

function describeRoutes(routes: readonly Route[]): PageRoute[] {
  return routes.map(({ path, remote, module, guard, title, layout, menu }) => {
    const screen = `${remote}/${module as `./${string}`}` as const;
    return { path, screen, guard, title, ...(layout ? { layout } : {}), ...(menu ? { menu } : {}) };
  });
}

function describePart({ live, previous }: ResolvedPart, language: Language): PageRemote {
  return { ...describeRelease(live, language), previous: previous && describeRelease(previous, language) };
}

/** With `language` it names the texts in that language. */
function describeRelease(release: Release, language?: Language): PageRelease {
  const { base, entry, exposes, standard } = release;
  const addresses = (paths: readonly string[]) => paths.map((path) => address(release, path));
  const modules = exposes.map(({ name, css, texts }) => {
    const own = language && texts?.[language];
    return [name, { css: addresses(css), ...(own ? { texts: { [language]: addresses(own) } } : {}) }];
  });
  return describeAs(PageRelease, {
    ...release,
    entry: address(release, entry),
    exposes: Object.fromEntries(modules),
    standard: standard && { ...standard, base },
  });
}

/** JSON that cannot close its script element. */
function inlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** /chatbot/composition.json: the live composition, for tools. */
export function describeForTools(composition: ResolvedComposition): ToolComposition {
  const { id, host, remotes } = composition;
  return {
    id,
    host: toolPart(host),
    remotes: Object.fromEntries(remotes.map((part) => [part.live.name, toolPart(part)])),
    routes: describeRoutes(liveRoutesOf(composition)),
  };
}

/** /chatbot/importmap.json: live remotes and their folders (`<name>/`). Classic scripts are no modules. */
export function importMapOf({ id, host, remotes }: ResolvedComposition): ToolImportMap {
  const live = remotes.map((part) => ({ live: part.live, previous: null }));
  const modules = live.filter(({ live: { standard } }) => standard?.type !== 'script');
  const imports = modules.flatMap(({ live: release }) => [
    [release.name, address(release, release.entry)] as const,
    [`${release.name}/`, release.base] as const,
  ]);
  const current = { id, host: { live: host.live, previous: null }, remotes: live };
  return { imports: Object.fromEntries(imports), integrity: integrityOf(current, /\.m?js$/) };
}

function toolPart({ live, previous }: ResolvedPart): ToolComposition['host'] {
  return { ...toolRelease(live), previous: previous && toolRelease(previous) };
}

function toolRelease(release: Release): ToolRelease {
  const { _id, base, shared, standard, commit } = release;
  return {
    ...describeRelease(release),
    id: _id,
    base,
    commit,
    shared: rangesOf(shared),
    own: rangesOf(standard?.own ?? []),
  };
}
