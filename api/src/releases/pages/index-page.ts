import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { LANGUAGES, languages } from '../../contract/language.ts';
import type { PageComposition } from '../../contract/pages.ts';
import { withBasePath } from '../../http/base-path.ts';
import { escapeHtml } from '../../http/plain-page.ts';
import { partsOf } from '../data/changes-between.ts';
import { routeAt } from '../data/release.ts';
import { ENCODINGS, type Encoding } from '../data/release-keys.ts';
import { liveRoutesOf, type PageChoice } from '../live/live-composition.ts';
import { encode } from '../publish/encode.ts';
import { type FirstState, menuPlaces, readFirstState, stateOf } from './first-state.ts';
import { type PageContent, releasesOf, renderPageHead, WHOLE_FIRST_STATE } from './page-head.ts';
import { contentSecurityPolicy, type PageHeaders } from './page-headers.ts';
import type { ReleaseReader } from './release-files.ts';

/** index.html in every encoding. */
export interface IndexPage {
  bodies: Record<Encoding | 'identity', Buffer>;
  etag: string;
  /** Identifies the composition with its fallbacks: everything that the page can load. */
  edition: string;
  headers: PageHeaders;
  /** Whether the path is one of the host's routes. */
  isScreen: boolean;
}

/** What is the same on every page. */
export type PageSettings = Pick<PageContent, 'avatars' | 'environment' | 'worker' | 'basePath'>;

/** The current settings of the desk; undefined if nothing is set. The same object until they change. */
export type ReadDesk = () => PageComposition['desk'];

/** Values that differ between pages of one composition. */
export interface PageVisit extends Pick<PageContent, 'language' | 'theme' | 'parameters'> {
  /** The requested path below /chatbot: '/index'. */
  path: string;
  /** Number of entries in the menu that the visitor saw last; 0 if unknown. */
  menuEntries: number;
}

/** Size of the page cache: most routes, languages, themes and lengths of the menu of the live composition and the previous one. */
const CACHE_SIZE = 120;

/** Once per composition, route and language, or for all routes without preloads; a visitor's each time. */
export function createIndexPages(
  fixed: PageSettings,
  reader: ReleaseReader,
  readDesk: ReadDesk = () => undefined,
) {
  const pages = new LRUCache<string, Promise<IndexPage>>({ max: CACHE_SIZE });
  let lastDesk: PageComposition['desk'];

  return {
    page({ composition, override }: PageChoice, { path, ...visit }: PageVisit): Promise<IndexPage> {
      const { language, theme = '', parameters } = visit;
      const routes = liveRoutesOf(composition);
      const route = routeAt(routes, path);
      const menuEntries = route?.guard === 'public' ? menuPlaces(routes, visit.menuEntries) : 0;
      const desk = readDesk();
      if (desk !== lastDesk) pages.clear();
      lastDesk = desk;
      const content = { ...fixed, ...visit, composition, routes, route, menuEntries };
      const optional = { ...(desk ? { desk } : {}), ...(override ? { override } : {}) };
      const draw = () => render({ ...content, ...optional }, reader);
      if (override) return draw();
      const remote = composition.remotes.find(({ live }) => live.name === route?.remote)?.live;
      const state = route && remote ? stateOf(remote, route, parameters) : (route?.path ?? '');
      const key = `${editionOf(composition)} ${state} ${language} ${theme} ${menuEntries}`;
      const known = pages.get(key);
      if (known) return known;
      const page = draw();
      pages.set(key, page);
      page.catch(() => pages.delete(key));
      return page;
    },
  };
}

/** A composition has fewer fallbacks after one was yanked. */
function editionOf(composition: PageChoice['composition']): string {
  return digest([composition.id, ...partsOf(composition).map(({ previous }) => previous?._id ?? '')].join());
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 24);
}

async function render(page: PageContent, reader: ReleaseReader): Promise<IndexPage> {
  const { composition, route, override, basePath } = page;
  const first = route && (await readFirstState(composition, { ...page, route }, reader));
  const head = renderPageHead(page, first?.styles);
  const developer = override?.kind === 'remote' ? override.address : undefined;
  const template = withFirstState(titled(composition.host.live.template, page), first, page);
  const html = Buffer.from(withBasePath(template, basePath).replace('<!--head-->', () => head.html));
  const [br, gzip] = await Promise.all(ENCODINGS.map((encoding) => encode(html, encoding)));
  return {
    bodies: { identity: html, br: br!, gzip: gzip! },
    isScreen: route !== undefined,
    etag: digest(html),
    edition: editionOf(composition),
    headers: {
      policy: contentSecurityPolicy({
        releaseOrigins: originsOf(releasesOf(composition).map(({ base }) => base)),
        imageOrigins: originsOf(Object.values(page.avatars)),
        socketOrigins: developer === undefined ? [] : [new URL(developer).origin.replace(/^http/, 'ws')],
        hasClassicScripts: releasesOf(composition).some(({ standard }) => standard?.type === 'script'),
        importMapHash: head.importMapHash,
        styleHashes: head.styleHashes,
      }),
      hasUnprovenScripts: developer !== undefined,
    },
  };
}

/** The template in the visitor's language and theme, with the first state before the messages of a slow start. */
function withFirstState(
  template: string,
  first: FirstState | undefined,
  { language, theme, basePath }: PageContent,
): string {
  const page = template.replace(
    /<html lang="[^"]*"/,
    () =>
      `<html lang="${LANGUAGES[language].locale}"${theme ? ` data-theme="${theme}"` : ''}${basePath ? ` data-base-path="${basePath}"` : ''}`,
  );
  if (!first) return page;
  const root = `<div id="root" data-first="">${first.html}${WHOLE_FIRST_STATE.end}`;
  const shown = page.replace('<div id="root">', () => root);
  return first.hasForm ? shown.replace(/<noscript>.*?<\/noscript>/s, '') : shown;
}

/** The template with the desk's name, which is shown until the page runs. */
function titled(template: string, { desk, language }: PageContent): string {
  const name = [language, ...languages].map((one) => desk?.[one]?.name).find(Boolean);
  return name ? template.replace(/<title>[^<]*/, () => `<title>${escapeHtml(name)}`) : template;
}

/** Origins of the absolute URLs among `addresses`. */
function originsOf(addresses: readonly string[]): string[] {
  const absolute = addresses.filter((address) => URL.canParse(address));
  return [...new Set(absolute.map((address) => new URL(address).origin))];
}
