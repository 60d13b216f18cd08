/** 128 random bits in hex. `crypto.randomUUID` exists only in secure contexts (TLS). */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
