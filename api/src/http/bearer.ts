import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';

/** The token of an `Authorization: Bearer …` header, or null. Other schemes are left to proxies. */
export function bearerOf(ctx: Pick<Context, 'get'>): string | null {
  const match = /^Bearer(?:\s+(.*))?$/i.exec(ctx.get('Authorization').trim());
  return match ? (match[1] ?? '').trim() : null;
}

/** Compares in constant time, independent of content and length. */
export function isSameSecret(given: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(known));
}
