import type { PageReport } from 'api/contract/reports';
import { deskAddress } from 'host/ui/desk-address.ts';

const ADDRESS = '/ops/reports';

/** Passes a report to the browser, which sends it even when the page is being closed. False if the browser refuses it. */
export function sendReport({ navigator }: Pick<Window, 'navigator'>, report: PageReport): boolean {
  try {
    return navigator.sendBeacon(
      deskAddress(ADDRESS),
      new Blob([JSON.stringify(report)], { type: 'application/json' }),
    );
  } catch {
    return false;
  }
}
