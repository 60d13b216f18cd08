import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { NextPage } from '../../contract/compositions.ts';
import { type Language, languages } from '../../contract/language.ts';
import type { FileStore } from '../../files/storage/file-store.ts';
import { pageLanguage } from '../../http/page-language.ts';
import { sendJson } from '../../http/send-json.ts';
import { localeOf, textsOf } from '../../i18n/texts-of.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { PRODUCTION } from '../data/environment.ts';
import {
  type ChoosePage,
  choosePage,
  type LiveComposition,
  type ResolvedComposition,
} from '../live/live-composition.ts';
import { sectionsOf } from './in-each-language.ts';
import { createIndexPages, type IndexPage, type PageSettings, type ReadDesk } from './index-page.ts';
import { describeForTools, importMapOf } from './page-head.ts';
import { sendUncached, setPageHeaders } from './page-headers.ts';
import {
  createReleaseFileSender,
  createReleaseReader,
  type Damage,
  encodingsFor,
  sendEncoded,
} from './release-files.ts';

/** Shown while nothing is published, mostly to the person who installs it. Works without scripts. */
const NOTHING_PUBLISHED_PAGE = `<!doctype html>
<html lang="${localeOf(languages[0])}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${textsOf('pages')('unpublished')(languages[0])}</title></head>
<body>
${sectionsOf('unpublished')}
</body>
</html>
`;

const NOTHING_PUBLISHED_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface PagesDeps {
  store: CompositionStore;
  live: LiveComposition;
  /** Functions that choose the composition of a visitor, asked in this order. If none does, it is the live one. */
  choosers?: readonly ChoosePage[];
  files: FileStore;
  /** URLs of external pictures; those omitted are bundled. */
  avatars: PageSettings['avatars'];
  /** The settings of the desk; default: nothing is set. */
  desk?: ReadDesk;
  /** Shown on the page; default production. */
  environment?: string;
  /** Begins every address of a page; default ''. */
  basePath?: string;
  /** Whether pages open while the server cannot be reached, see worker.js; default true. */
  hasWorker?: boolean;
  /** Called with the key of a release's file that is missing or corrupted, once per change of that file. */
  onDamage?: (key: string, how: Damage) => void;
  /** Called when a page of the composition was sent that is expected to start and report. */
  onServed?: (composition: ResolvedComposition, ctx: Context) => void;
  /** Called with the reason why a chooser failed. */
  onFailure?: (cause: unknown) => void;
}

/**
 * Routes of everything except the API: `/` and `/chatbot` redirect to `/chatbot/`, every path below it is
 * index.html with the live composition (the host's router knows the screens), and `/chatbot/releases/…` are
 * the files of releases.
 */
export function createPagesRouter(deps: PagesDeps): Router {
  const { store, live, files, choosers = [], onDamage, onServed, onFailure = () => undefined } = deps;
  const { avatars, desk, environment = PRODUCTION, basePath = '', hasWorker = true } = deps;
  const reader = createReleaseReader(files, onDamage);
  const settings = {
    avatars,
    ...(environment === PRODUCTION ? {} : { environment }),
    basePath,
    ...(hasWorker ? { worker: basePath + WORKER } : {}),
  };
  const pages = createIndexPages(settings, reader, desk);
  const sendReleaseFile = createReleaseFileSender({ store, reader });
  const router = new Router();

  // A pattern, because the string '/chatbot' would also match '/chatbot/'.
  router.get(/^\/(chatbot)?$/, (ctx) => ctx.redirect('/chatbot/'));

  const favicon = { name: 'favicon.svg', type: 'image/svg+xml', bytes: faviconOf(environment) };
  for (const { name, type, bytes } of [favicon, ...icons])
    router.get(`/chatbot/${name}`, (ctx) => {
      ctx.set('Cache-Control', 'public, max-age=86400');
      ctx.set('X-Content-Type-Options', 'nosniff');
      ctx.type = type;
      ctx.body = bytes;
    });

  router.get(WORKER, (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('Content-Security-Policy', WORKER_POLICY);
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = hasWorker ? worker : ENDED_WORKER;
  });

  router.get('/chatbot/manifest.webmanifest', (ctx) => {
    const language = pageLanguage(ctx, desk?.()?.language);
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = 'application/manifest+json; charset=utf-8';
    ctx.body = JSON.stringify(manifestOf(desk?.()?.[language]?.name, language, environment));
  });

  router.get(/^\/chatbot\/releases\/([^/]+)\/([^/]+)\/(.+)$/, async (ctx) => {
    const [name = '', folder = '', path = ''] = (ctx.captures ?? []).map(decodedSegment);
    await sendReleaseFile(ctx, name, folder, path);
  });

  for (const [path, describe] of TOOL_DOCUMENTS)
    router.get(path, async (ctx) => {
      sendToolDocument(ctx, describe((await live.need()).composition));
    });

  router.get(/^\/chatbot\/(?!releases(\/|$))/, async (ctx) => {
    const now = await live.read();
    if (!now) return sendNothingPublished(ctx);
    if (SHARED_PAGE.test(ctx.path)) ctx.set('X-Robots-Tag', 'noindex, nofollow');
    const choice = await choosePage(ctx, now, choosers, onFailure);
    if (choice.confirmAt) {
      ctx.set('Cache-Control', 'private, no-store');
      return ctx.redirect(choice.confirmAt);
    }
    const page = await pages.page(choice, {
      path: ctx.path.slice('/chatbot'.length),
      parameters: Object.keys(ctx.query),
      language: pageLanguage(ctx, desk?.()?.language),
      theme: (['light', 'dark'] as const).find((theme) => theme === ctx.cookies.get(THEME_COOKIE)),
      menuEntries: Number.parseInt(ctx.cookies.get(MENU_COOKIE) ?? '', 10) || 0,
    });
    ctx.state.isScreen = page.isScreen;
    const isLive = !choice.override && choice.composition.id === now.composition.id;
    ctx.set('Desk-Edition', isLive && page.isScreen ? page.edition : 'none');
    if (choice.override) return sendUncached(ctx, 200, page.bodies.identity, page.headers);
    sendPage(ctx, page);
    if (page.isScreen && isOpened(ctx)) onServed?.(choice.composition, ctx);
  });

  router.get('/ops/live', async (ctx) => {
    const { composition } = await choosePage(ctx, await live.need(), choosers, onFailure);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { composition: composition.id } satisfies NextPage;
  });

  return router;
}

const WORKER = '/chatbot/worker.js';
const worker = readFileSync(new URL('worker.js', import.meta.url), 'utf8');
/** Replaces the worker of browsers that have one. */
const ENDED_WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(end()));
async function end() {
  const basePath = new URL(registration.scope).pathname.replace(/\\/chatbot\\/$/, '');
  for (const name of ['pages', 'files', 'saved']) await caches.delete('desk-' + name + basePath);
  await registration.unregister();
}
`;
const WORKER_POLICY = "default-src 'self'; frame-ancestors 'none'";

/** favicon.svg for platforms that install pages only with PNG icons; a maskable one is cropped to their shape. */
const icons = (['192', '512', 'maskable-512'] as const).map((kind) => {
  const name = `icon-${kind}.png`;
  return { name, kind, type: 'image/png', bytes: readFileSync(new URL(name, import.meta.url)) };
});

/** The web app manifest, with which browsers can install the desk. Only the SVG has the colour of another environment. */
function manifestOf(name: string | undefined, language: Language, environment: string) {
  const pictures = icons.map(({ name: src, kind, type }) => {
    const [size, purpose = 'any'] = kind.split('-').reverse();
    return { src, sizes: `${size}x${size}`, type, purpose };
  });
  return {
    name: name || textsOf('pages')('unpublished')(language),
    lang: localeOf(language),
    // Relative to the address of the manifest, which may be below a path.
    start_url: 'index',
    scope: './',
    display: 'standalone',
    background_color: '#e9eef0',
    theme_color: '#0b6080',
    icons: [
      { src: 'favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      ...(environment === PRODUCTION ? pictures : []),
    ],
  };
}

/** Name of the cookie in which the host stores the theme that the visitor has chosen. */
const THEME_COOKIE = 'desk-theme';
/** Name of the cookie in which the host stores the number of entries in a member's menu. */
const MENU_COOKIE = 'desk-menu';

/** Another colour outside production, so that tabs of environments can be told apart. */
function faviconOf(environment: string): string {
  const favicon = readFileSync(new URL('favicon.svg', import.meta.url), 'utf8');
  return environment === PRODUCTION ? favicon : favicon.replace('#0b6080', '#a35200');
}

/** False for prefetched pages, which may never be displayed; browsers mark them. */
function isOpened(ctx: Context): boolean {
  return ctx.method === 'GET' && !/prefetch/.test(ctx.get('Sec-Purpose') || ctx.get('Purpose'));
}

/** Whether a browser sends it, by the headers of current browsers or an older one's User-Agent. */
export function isBrowsers(ctx: Context): boolean {
  const destination = ctx.get('Sec-Fetch-Dest');
  if (destination !== '') return destination === 'document';
  const agent = ctx.get('User-Agent');
  return (
    /^Mozilla\//.test(agent) && !/compatible;|bot\b/i.test(agent) && ctx.get('Accept').includes('text/html')
  );
}

/** '' for an invalid escape sequence: no file has that name. */
function decodedSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Conversations that are shared through a link: search engines must not list them. */
const SHARED_PAGE = /^\/chatbot\/shared\/?$/i;

/** Documents about the live composition; no route can have such a path, since routes contain no dots. */
const TOOL_DOCUMENTS = [
  ['/chatbot/composition.json', describeForTools],
  ['/chatbot/importmap.json', importMapOf],
] as const;

/** Sends content that every visitor may read, also from pages of other origins. */
function sendToolDocument(ctx: Context, document: object): void {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('X-Content-Type-Options', 'nosniff');
  sendJson(ctx, JSON.stringify(document, null, 2));
}

function sendPage(ctx: Context, { bodies, etag, headers }: IndexPage): void {
  setPageHeaders(ctx, headers);
  // Another visitor may get a different page at this URL, depending on a cookie.
  ctx.set('Cache-Control', 'private, no-cache');
  const [encoding = 'identity'] = encodingsFor(ctx);
  sendEncoded(ctx, { bytes: bodies[encoding], encoding }, 'text/html; charset=utf-8', etag);
}

function sendNothingPublished(ctx: Context): void {
  setPageHeaders(ctx, { policy: NOTHING_PUBLISHED_POLICY });
  ctx.status = 503;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Retry-After', '5');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = NOTHING_PUBLISHED_PAGE;
}
