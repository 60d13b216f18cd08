const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Returns an absolute address if following it can only open a page, a mail or a call; otherwise undefined. */
export function safeAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
