import type { PageReport } from 'api/contract/reports';

const ADDRESS = '/ops/reports';

/** Hands a report to the browser, which sends it even while the page goes. False when it takes no more. */
export function sendReport({ navigator }: Pick<Window, 'navigator'>, report: PageReport): boolean {
  try {
    return navigator.sendBeacon(ADDRESS, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  } catch {
    return false;
  }
}

/** Names one page load in its reports. randomUUID exists on secure pages alone, and a desk in a company's own network may be none. */
export function randomId({ crypto }: Pick<Window, 'crypto'>): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
