const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** The address if following it can do no more than open a page, a mail or a call; otherwise undefined. Only absolute ones. */
export function safeAddress(address: string): string | undefined {
  try {
    const url = new URL(address);
    return SCHEMES.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
