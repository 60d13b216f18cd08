import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, independent of content and length. */
export function isSameSecret(given: string, known: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(known));
}
