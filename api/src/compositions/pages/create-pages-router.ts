import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { NextPage, PageComposition } from '../../contract/contract.ts';
import { unavailable } from '../../contract/errors.ts';
import type { FileStore } from '../../files/storage/file-store.ts';
import type { CompositionStore } from '../composition-store.ts';
import type { LiveComposition, ResolvedComposition } from '../live-composition.ts';
import { ENCODINGS } from '../release-keys.ts';
import { type ChoosePage, choosePage } from './choose-page.ts';
import { createIndexPages, type IndexPage } from './index-page.ts';
import { NOTHING_PUBLISHED_PAGE, NOTHING_PUBLISHED_POLICY } from './nothing-published-page.ts';
import { setPageHeaders } from './page-headers.ts';
import { createReleaseReader, type Damage } from './release-reader.ts';
import { createReleaseFileSender } from './send-release-file.ts';

export interface PagesDeps {
  store: CompositionStore;
  live: LiveComposition;
  /** Who decides what a visitor sees, in this order; nobody: everyone gets what is live. */
  choosers?: readonly ChoosePage[];
  files: FileStore;
  /** External pictures; what is left out is bundled. */
  avatars: PageComposition['avatars'];
  /** Hears the key of a release's file that is missing or not as it was published, once for each change of it. */
  onDamage?: (key: string, how: Damage) => void;
  /** Hears that a page of the composition was sent, of which it is to be expected that it starts and reports. */
  onServed?: (composition: ResolvedComposition, ctx: Context) => void;
  /** Hears why a chooser failed. */
  onFailure?: (cause: unknown) => void;
}

/**
 * Everything that is not a call: `/` and `/chatbot` lead to `/chatbot/`, every path below it is index.html with the live
 * composition in it (the host's router knows which screens there are), and `/chatbot/releases/…` are the files of releases.
 */
export function createPagesRouter(deps: PagesDeps): Router {
  const {
    store,
    live,
    choosers = [],
    files,
    avatars,
    onDamage,
    onServed,
    onFailure = () => undefined,
  } = deps;
  const pages = createIndexPages(avatars);
  const sendReleaseFile = createReleaseFileSender({ store, reader: createReleaseReader(files, onDamage) });
  const favicon = readFileSync(new URL('favicon.svg', import.meta.url));
  const router = new Router();

  // By pattern, since '/chatbot' as text would also match '/chatbot/'.
  router.get(/^\/(chatbot)?$/, (ctx) => ctx.redirect('/chatbot/'));

  router.get('/chatbot/favicon.svg', (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.type = 'image/svg+xml';
    ctx.body = favicon;
  });

  router.get(/^\/chatbot\/releases\/([^/]+)\/([^/]+)\/(.+)$/, async (ctx) => {
    const [name = '', folder = '', path = ''] = (ctx.captures ?? []).map(decodedSegment);
    await sendReleaseFile(ctx, name, folder, path);
  });

  router.get(/^\/chatbot\/(?!releases(\/|$))/, async (ctx) => {
    const now = await live.read();
    if (!now) return sendNothingPublished(ctx);
    const choice = await choosePage(ctx, now, choosers, onFailure);
    const page = await pages.page(choice, ctx.path.slice('/chatbot'.length));
    if (choice.override) return sendAloneTo(ctx, page);
    sendPage(ctx, page);
    if (page.isScreen && isOpened(ctx)) onServed?.(choice.composition, ctx);
  });

  router.get('/ops/live', async (ctx) => {
    const now = await live.read();
    if (!now) throw unavailable(5);
    const { composition } = await choosePage(ctx, now, choosers, onFailure);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { composition: composition.id } satisfies NextPage;
  });

  return router;
}

/** Browsers say so when they fetch a page that nobody may ever look at. */
function isOpened(ctx: Context): boolean {
  return ctx.method === 'GET' && !/prefetch/.test(ctx.get('Sec-Purpose') || ctx.get('Purpose'));
}

/** Whether a browser asks, by what current ones say of a page's request, or older ones of themselves. */
export function isBrowsers(ctx: Context): boolean {
  const destination = ctx.get('Sec-Fetch-Dest');
  if (destination !== '') return destination === 'document';
  const agent = ctx.get('User-Agent');
  return (
    /^Mozilla\//.test(agent) && !/compatible;|bot\b/i.test(agent) && ctx.get('Accept').includes('text/html')
  );
}

/** '' for what is no valid escape: nothing is named so. */
function decodedSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Of what is one visitor's alone nothing is kept anywhere, and nothing is said to be unchanged. */
function sendAloneTo(ctx: Context, { bodies, headers }: IndexPage): void {
  setPageHeaders(ctx, headers);
  ctx.set('Cache-Control', 'private, no-store');
  ctx.status = 200;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = bodies.identity;
}

function sendPage(ctx: Context, { bodies, etag, headers }: IndexPage): void {
  setPageHeaders(ctx, headers);
  // Another visitor may get another page at this address, by a cookie.
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.vary('Accept-Encoding');
  // By our order: browsers name gzip first and want the smallest.
  const encoding = ENCODINGS.find((known) => ctx.acceptsEncodings(known, 'identity') === known) ?? 'identity';
  ctx.status = 200;
  ctx.type = 'text/html; charset=utf-8';
  ctx.etag = `${etag}-${encoding}`;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = bodies[encoding];
}

function sendNothingPublished(ctx: Context): void {
  setPageHeaders(ctx, { policy: NOTHING_PUBLISHED_POLICY });
  ctx.status = 503;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Retry-After', '5');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = NOTHING_PUBLISHED_PAGE;
}
