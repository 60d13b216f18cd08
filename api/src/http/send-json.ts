import { hash } from 'node:crypto';
import type { Context } from 'koa';

/** Sends JSON that caches may store but must revalidate; 304 if the caller has the same version. */
export function sendJson(ctx: Context, text: string, caching = 'no-cache'): void {
  ctx.set('Cache-Control', caching);
  ctx.status = 200;
  ctx.type = 'application/json; charset=utf-8';
  ctx.etag = hash('sha256', text, 'base64url').slice(0, 24);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = text;
}
