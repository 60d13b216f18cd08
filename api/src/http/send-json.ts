import { hash } from 'node:crypto';
import type { Context } from 'koa';

/** Sends JSON that caches store and ask for again; 304 if the caller has it. */
export function sendJson(ctx: Context, text: string, caching = 'no-cache'): void {
  ctx.set('Cache-Control', caching);
  ctx.status = 200;
  ctx.type = 'application/json; charset=utf-8';
  ctx.etag = hash('sha256', text, 'base64url').slice(0, 24);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = text;
}
