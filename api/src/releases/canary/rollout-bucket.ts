import { createHash, randomBytes } from 'node:crypto';

/** Bits taken from the SHA-256: exact as a number, and far finer than any share. */
const BITS = 48;

/** A random browser id that carries no other information. */
export function newSeed(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns undefined for an invalid seed. */
export function readSeed(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : undefined;
}

/** A visitor's stable position in [0, 100), so that a larger share keeps everyone; differs per canary. */
export function bucketOf(seed: string, canary: string): number {
  const digest = createHash('sha256').update(`${seed}\n${canary}`).digest();
  return (digest.readUIntBE(0, BITS / 8) / 2 ** BITS) * 100;
}

/** `share` in percent: 0 includes nobody, 100 everybody. */
export function isInShare(seed: string, canary: string, share: number): boolean {
  return bucketOf(seed, canary) < share;
}
