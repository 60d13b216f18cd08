import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, as 43 characters that need no escaping in an address. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Of a random token. A plain hash suffices: nobody can choose the hash of a guess. */
export function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
