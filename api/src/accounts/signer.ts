import { createHmac } from 'node:crypto';
import { isSameSecret } from '../http/is-same-secret.ts';

/** HMAC-SHA-256 of tokens and cookies. `key` belongs to one kind of token, see `deriveKey`. */
export function createSigner(key: Buffer) {
  /** 43 characters of base64url. */
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    /** Compares in constant time. */
    isSigned: (text: string, signature: string): boolean => isSameSecret(signature, sign(text)),
  };
}
