import { createHash } from 'node:crypto';
import type { PageComposition, PageRelease, PageRemote } from '../../contract/contract.ts';
import type { ResolvedComposition, ResolvedPart } from '../live-composition.ts';
import type { Assets, Release, Route } from '../release.ts';
import { isElsewhere } from '../release-keys.ts';

export interface PageHead {
  /** What goes into the page's `<head>`. */
  html: string;
  /** `sha256-…` of the import map. */
  importMapHash: string;
}

/**
 * The part of index.html that a composition decides: the import map with the integrity of every script of every live and previous
 * release, the composition as JSON, links to what the asked route needs first, so that nothing is found late, and the integrity of
 * every style sheet.
 */
export function renderPageHead(
  composition: ResolvedComposition,
  route: Route | undefined,
  extras: Pick<PageComposition, 'avatars' | 'override'>,
): PageHead {
  const importMap = inlineJson({ integrity: integrityOf(composition, /\.m?js$/) });
  const { host } = composition;
  const remote = composition.remotes.find(({ live }) => live.name === route?.remote)?.live;
  const screen = remote?.exposes.find(({ name }) => name === route?.module);
  const html = [
    // Before anything that loads a module: later it would be too late for those.
    `<script type="importmap">${importMap}</script>`,
    ...links(host.live, host.live.entryFiles),
    ...(remote && screen ? hints(remote, merged(remote.entryFiles, screen)) : []),
    `<script type="application/json" id="composition">${inlineJson(describe(composition, extras))}</script>`,
    `<script type="module" src="${attribute(address(host.live, host.live.entry))}"${proof(host.live, host.live.entry)}></script>`,
    '<link rel="icon" type="image/svg+xml" href="/chatbot/favicon.svg">',
    // No import map knows style sheets: the builds look here before they fetch one. Last, as nothing at the start needs it.
    `<script type="application/json" id="styles">${inlineJson(integrityOf(composition, /\.css$/))}</script>`,
  ].join('\n    ');
  return { html, importMapHash: `sha256-${createHash('sha256').update(importMap).digest('base64')}` };
}

/** Where a file of a release is fetched from. */
export function address(release: Release, path: string): string {
  return release.base + path;
}

export function partsOf({ host, remotes }: ResolvedComposition): ResolvedPart[] {
  return [host, ...remotes];
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

/**
 * A remote's style sheets are fetched ahead and no more: its own loader links them. A link in the page would hold back every script
 * and all of the painting for as long as it takes, so that a remote whose server hangs would take the whole desk along.
 */
function hints(release: Release, { js, css }: Assets): string[] {
  return [
    ...css.map((path) => `<link rel="preload" as="style" ${hrefLikeTheLoaders(release, path)}>`),
    ...modulePreloads(release, js),
  ];
}

function modulePreloads(release: Release, js: readonly string[]): string[] {
  return js.map((path) => `<link rel="modulepreload" ${href(release, path)}>`);
}

function href(release: Release, path: string): string {
  return `href="${attribute(address(release, path))}"${proof(release, path)}`;
}

/** The bundler's loader says `crossorigin` for other origins alone; asked for in another way the file would be fetched twice. */
function hrefLikeTheLoaders(release: Release, path: string): string {
  return isElsewhere(release) ? href(release, path) : href(release, path).replace(/ crossorigin$/, '');
}

/** Without the integrity a preloaded script would be fetched a second time; without crossorigin it could not be checked. */
function proof(release: Release, path: string): string {
  const file = release.files.find((listed) => listed.path === path);
  return file ? ` integrity="${file.integrity}" crossorigin` : ' crossorigin';
}

/** Lets the bundler's loader find the link, or it would add the style sheet a second time and wait for it. */
function mark(release: Release, path: string): string {
  const found = release.files.find((listed) => listed.path === path)?.mark;
  return found ? ` data-rspack="${attribute(found)}"` : '';
}

function merged(a: Assets, b: Assets): Assets {
  return { js: [...new Set([...a.js, ...b.js])], css: [...new Set([...a.css, ...b.css])] };
}

function describe(
  composition: ResolvedComposition,
  { avatars, override }: Pick<PageComposition, 'avatars' | 'override'>,
): PageComposition {
  return {
    id: composition.id,
    host: describePart(composition.host),
    remotes: Object.fromEntries(composition.remotes.map((part) => [part.live.name, describePart(part)])),
    avatars,
    ...(override ? { override } : {}),
  };
}

function describePart({ live, previous }: ResolvedPart): PageRemote {
  return { ...describeRelease(live), previous: previous && describeRelease(previous) };
}

function describeRelease(release: Release): PageRelease {
  const { name, version, container, contract, exposes } = release;
  return {
    name,
    version,
    entry: address(release, release.entry),
    container,
    contract,
    exposes: Object.fromEntries(
      exposes.map((exposed) => [exposed.name, { css: exposed.css.map((path) => address(release, path)) }]),
    ),
  };
}

/** JSON that cannot end its script element. */
function inlineJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
