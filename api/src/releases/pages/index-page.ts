import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Language, languages } from '../../contract/language.ts';
import type { PageComposition } from '../../contract/pages.ts';
import { routeAt, routesOf } from '../data/declared-routes.ts';
import type { Route } from '../data/release.ts';
import { ENCODINGS, type Encoding } from '../data/release-keys.ts';
import type { PageChoice } from '../live/choose-page.ts';
import { encode } from '../publish/encode.ts';
import { escapeHtml, releasesOf, renderPageHead } from './page-head.ts';
import { contentSecurityPolicy, type PageHeaders } from './page-headers.ts';

/** index.html in every encoding. */
export interface IndexPage {
  bodies: Record<Encoding | 'identity', Buffer>;
  etag: string;
  headers: PageHeaders;
  /** Whether the path is one of the host's routes. */
  isScreen: boolean;
}

/** Fields of every page's composition that do not depend on the releases. */
export type PageSettings = Pick<PageComposition, 'avatars' | 'environment'>;

/** What administrators have set, at this moment; undefined if nothing. The same object until they change it. */
export type ReadDesk = () => PageComposition['desk'];

/**
 * Size of the page cache: one per language and route that preloads something, of the live composition and the
 * previous one.
 */
const CACHE_SIZE = 80;

/**
 * Renders each page once per composition, route and language; routes without preloads share one. Pages specific to one
 * visitor are rendered each time.
 */
export function createIndexPages(fixed: PageSettings, readDesk: ReadDesk = () => undefined) {
  const pages = new LRUCache<string, Promise<IndexPage>>({ max: CACHE_SIZE });
  let lastDesk: PageComposition['desk'];

  return {
    /** `path` is the requested path below /chatbot: '/index'; `language` that of the texts which are preloaded. */
    page(choice: PageChoice, path: string, language: Language): Promise<IndexPage> {
      const { composition, override } = choice;
      const route = routeAt(liveRoutesOf(composition), path);
      const desk = readDesk();
      if (desk !== lastDesk) pages.clear();
      lastDesk = desk;
      const settings = { ...fixed, language, ...(desk ? { desk } : {}) };
      if (override) return render(choice, route, settings);
      const key = `${composition.id} ${fallbacksOf(composition)} ${route?.path ?? ''} ${language}`;
      const known = pages.get(key);
      if (known) return known;
      const page = render(choice, route, settings);
      pages.set(key, page);
      page.catch(() => pages.delete(key));
      return page;
    },
  };
}

/** A composition has fewer fallbacks after one was yanked. */
function fallbacksOf({ host, remotes }: PageChoice['composition']): string {
  return [host, ...remotes].map(({ previous }) => previous?._id ?? '').join();
}

function liveRoutesOf({ host, remotes }: PageChoice['composition']): Route[] {
  return routesOf(
    host.live,
    remotes.map(({ live }) => live),
  );
}

async function render(
  { composition, override }: PageChoice,
  route: Route | undefined,
  settings: PageSettings & Pick<PageComposition, 'desk'> & { language: Language },
): Promise<IndexPage> {
  const head = renderPageHead(composition, route, {
    routes: liveRoutesOf(composition),
    ...settings,
    ...(override ? { override } : {}),
  });
  const developer = override?.kind === 'remote' ? override.address : undefined;
  const html = Buffer.from(
    titled(composition.host.live.template, settings).replace('<!--head-->', () => head.html),
  );
  const [br, gzip] = await Promise.all(ENCODINGS.map((encoding) => encode(html, encoding)));
  return {
    bodies: { identity: html, br: br!, gzip: gzip! },
    isScreen: route !== undefined,
    etag: createHash('sha256').update(html).digest('base64url').slice(0, 24),
    headers: {
      policy: contentSecurityPolicy({
        releaseOrigins: originsOf(releasesOf(composition).map(({ base }) => base)),
        imageOrigins: originsOf(Object.values(settings.avatars)),
        socketOrigins: developer === undefined ? [] : [new URL(developer).origin.replace(/^http/, 'ws')],
        hasClassicScripts: releasesOf(composition).some(({ standard }) => standard?.type === 'script'),
        importMapHash: head.importMapHash,
      }),
      hasUnprovenScripts: developer !== undefined,
    },
  };
}

/** The template with the desk's name, which is shown until the page runs. */
function titled(
  template: string,
  { desk, language }: Pick<PageComposition, 'desk'> & { language: Language },
): string {
  const name = [language, ...languages].map((one) => desk?.[one]?.name).find(Boolean);
  return name ? template.replace(/<title>[^<]*/, () => `<title>${escapeHtml(name)}`) : template;
}

/** Origins of the absolute URLs among `addresses`. */
function originsOf(addresses: readonly string[]): string[] {
  const absolute = addresses.filter((address) => URL.canParse(address));
  return [...new Set(absolute.map((address) => new URL(address).origin))];
}
