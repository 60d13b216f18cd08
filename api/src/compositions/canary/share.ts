import { createHash, randomBytes } from 'node:crypto';

/** Of a SHA-256: exact as a number, and far finer than any share. */
const BITS = 48;

/** A random name of a browser, made by us and meaning nothing else. */
export function newSeed(): string {
  return randomBytes(16).toString('base64url');
}

/** undefined for what is no seed of ours. */
export function readSeed(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : undefined;
}

/**
 * Where a visitor stands among all of them as to this canary, from 0 to before 100. The same visitor always stands at the same place,
 * so that raising the share keeps those who are in; as to another composition they stand elsewhere, so that nobody is always first.
 */
export function placeOf(seed: string, composition: string): number {
  const digest = createHash('sha256').update(`${seed}\n${composition}`).digest();
  return (digest.readUIntBE(0, BITS / 8) / 2 ** BITS) * 100;
}

/** `share` in percent: 0 is nobody, 100 everybody. */
export function isInShare(seed: string, composition: string, share: number): boolean {
  return placeOf(seed, composition) < share;
}
