/** 128 random bits in hex. `crypto.randomUUID` is missing where the desk is served without TLS; this is not. */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
