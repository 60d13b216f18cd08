import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as 43 characters that need no escaping in an address. */
export function createShareToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a token. A plain hash suffices, because the token is random. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
