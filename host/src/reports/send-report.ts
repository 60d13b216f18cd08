import type { PageReport } from 'api/contract/reports';

const ADDRESS = '/ops/reports';

/** Passes a report to the browser, which sends it even when the page is being closed. False if the browser refuses it. */
export function sendReport({ navigator }: Pick<Window, 'navigator'>, report: PageReport): boolean {
  try {
    return navigator.sendBeacon(ADDRESS, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  } catch {
    return false;
  }
}

/**
 * Random id of a page load in its reports. `crypto.randomUUID` exists only in secure contexts, which intranet pages without TLS are not.
 */
export function randomId({ crypto }: Pick<Window, 'crypto'>): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
