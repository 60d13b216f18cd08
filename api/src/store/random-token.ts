import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, as 43 characters that need no escaping in an address. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The stored form of a random token. A plain hash suffices, because nobody can choose the hash of a guess: how long the search for it in an
 * index takes reveals nothing.
 */
export function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
