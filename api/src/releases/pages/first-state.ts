import { forEachLanguage, type Language, languages } from '../../contract/language.ts';
import type { PageDesk } from '../../contract/settings.ts';
import { escapeHtml } from '../../http/plain-page.ts';
import type { Release, Route } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';
import type { ResolvedComposition } from '../live/live-composition.ts';
import type { PageContent } from './page-head.ts';
import type { ReleaseReader } from './release-files.ts';

/** The content of a page until its scripts run. */
export interface FirstState {
  /** Content of the page's root. */
  html: string;
  /** Whether the screen is part of it, with a form, which works without scripts. */
  hasForm: boolean;
  /** The style sheets of the host and of the screen. */
  styles: { host: string; screen: string };
}

/** Values that determine the first state of a route. */
type FirstStateOf = Pick<PageContent, 'routes' | 'language' | 'parameters' | 'menuEntries'> & {
  route: Route;
  desk?: PageDesk | undefined;
};

/**
 * Combines the host's frame with the first state of the screen, from the releases' files. undefined for guarded routes, whose frame depends on
 * the session, and if the host has no frame or a file is damaged: the page then stays empty until the scripts run. Contains nothing of a visitor.
 */
export async function readFirstState(
  { host: { live: host }, remotes }: ResolvedComposition,
  { route, routes, language, parameters, menuEntries, desk }: FirstStateOf,
  reader: ReleaseReader,
): Promise<FirstState | undefined> {
  if (route.guard !== 'public') return undefined;
  const read = async (release: Release, path: string | undefined) => {
    const file = release.files.find((listed) => listed.path === path);
    // The server of another team might not answer, which must not delay the page.
    const found = file && !isElsewhere(release) ? await reader.read(release, file, []) : undefined;
    return found?.bytes.toString('utf8').replaceAll('{{base}}', release.base);
  };
  const readAll = async (release: Release, paths: readonly string[]) => {
    const texts = await Promise.all(paths.map((path) => read(release, path)));
    const isUsable = texts.every((text) => text !== undefined && !/<\/style|@import/i.test(text));
    return isUsable ? texts.map((text) => withBase(text ?? '', release.base)).join('\n') : undefined;
  };
  const frame = await read(host, fileAt(host, route.layout ?? 'navigation', language));
  const hostStyles = await readAll(host, host.entryFiles.css);
  if (frame === undefined || hostStyles === undefined) return undefined;
  const [page = '', entry = '', controls = '', loading = ''] = frame.split(
    /<!--(?:entry|controls|loading)-->/,
  );

  const remote = remotes.find(({ live }) => live.name === route.remote)?.live;
  const exposed = remote?.exposes.find(({ name }) => name === route.module);
  const path = remote && stateOf(remote, route, parameters);
  const screen = remote && path ? await read(remote, fileAt(remote, path, language)) : undefined;
  const screenStyles =
    remote && exposed && screen !== undefined
      ? await readAll(remote, [...new Set([...remote.entryFiles.css, ...exposed.css])])
      : undefined;
  const hasScreen = screen !== undefined && screenStyles !== undefined;
  const html = page
    .replace('{{menu}}', () => menuOf(routes, route, { entry, language, menuEntries }))
    .replace('{{screen}}', () => (hasScreen ? screen : loading))
    .replace('{{controls}}', () => controls);
  return {
    html: withDesk(html, desk, language),
    hasForm: hasScreen && screen.includes('<form'),
    styles: { host: hostStyles, screen: hasScreen ? screenStyles : '' },
  };
}

/** The path of the route's first state: with the first of the address's parameters that it depends on. */
export function stateOf(release: Release, { path }: Pick<Route, 'path'>, parameters: readonly string[]) {
  const states = release.firstStates ?? [];
  const found = parameters.find((name) => states.some((state) => state.path === `${path}?${name}`));
  return found === undefined ? path : `${path}?${found}`;
}

function fileAt({ firstStates = [] }: Release, path: string, language: Language): string | undefined {
  return firstStates.find((state) => state.path === path && state.language === language)?.file;
}

/**
 * The number of places in the menu of a page: as many as the visitor's last page had entries, but at least the entries of guests, and at most all.
 * The page then need not move them when it adds entries at the end.
 */
export function menuPlaces(routes: readonly Route[], last: number): number {
  const all = routes.filter(({ title, menu }) => title && menu);
  const guests = entriesOf(routes).length;
  return last > guests ? Math.min(last, all.length) : guests;
}

/** The entries that guests see, in the order of the host. */
function entriesOf(routes: readonly Route[]) {
  return routes
    .flatMap(({ path, title, menu }) => (title && menu ? [{ path, title, ...menu }] : []))
    .filter(({ audience = 'public' }) => audience === 'public')
    .sort((a, b) => a.order - b.order || (a.path < b.path ? -1 : 1));
}

function menuOf(
  routes: readonly Route[],
  current: Route,
  { entry, language, menuEntries }: { entry: string; language: Language; menuEntries: number },
): string {
  const entries = entriesOf(routes);
  const reserved = '<li aria-hidden="true"></li>'.repeat(Math.max(0, menuEntries - entries.length));
  const shown = entries
    .map(({ path, title, icon }) =>
      (path === current.path ? entry : entry.replace(' aria-current="page"', ''))
        .replace('{{path}}', path.slice(1))
        .replace('{{icon}}', icon)
        .replace('{{title}}', () => escapeHtml(inAnyLanguage(title, language) ?? '')),
    )
    .join('');
  return shown + reserved;
}

/** The text of the language, else of another one: releases may have been built before the language was registered. */
function inAnyLanguage(texts: { readonly [L in Language]?: string | undefined }, language: Language) {
  return [language, ...languages].map((one) => texts[one]).find(Boolean);
}

/** Elements with `data-desk` show settings of the desk. */
function withDesk(html: string, desk: PageDesk | undefined, language: Language): string {
  if (!desk) return html;
  const names = forEachLanguage((one) => desk[one]?.name);
  const name = inAnyLanguage(names, language);
  const texts = { name, greeting: desk[language]?.greeting };
  return Object.entries(texts).reduce(
    (page, [field, text]) =>
      text
        ? page.replace(
            new RegExp(`( data-desk="${field}"[^>]*>)[^<]*`, 'g'),
            (_, start: string) => start + escapeHtml(text),
          )
        : page,
    html,
  );
}

/** Relative addresses in a style sheet, which are now relative to the page. */
function withBase(css: string, base: string): string {
  return css.replace(/url\((['"]?)(?!data:|#|\/|[a-z]+:)/g, `url($1${base}`);
}
