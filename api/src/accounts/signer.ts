import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 of tokens and cookies. `key` belongs to one kind of token, see `deriveKey`. */
export function createSigner(key: Buffer) {
  /** 43 characters of base64url. */
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    /** Compares in constant time. */
    isSigned(text: string, signature: string): boolean {
      const expected = Buffer.from(sign(text));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
