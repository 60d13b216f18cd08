import type { Context } from 'koa';

/** The token of an `Authorization: Bearer …` header, or null. Other schemes are left to proxies. */
export function bearerOf(ctx: Pick<Context, 'get'>): string | null {
  const match = /^Bearer(?:\s+(.*))?$/i.exec(ctx.get('Authorization').trim());
  return match ? (match[1] ?? '').trim() : null;
}
