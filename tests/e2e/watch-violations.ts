import type { Page } from 'playwright/test';

/** Whatever goes against a page's own policy becomes an error in its console, and so fails the test. Called before the first visit. */
export async function watchViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tell = (what: string) => console.error(`policy violated: ${what}`);
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      tell(`${effectiveDirective} ${blockedURI} from ${sourceFile}`),
    );
    const observer = new ReportingObserver(
      (reports) => {
        for (const { type, body } of reports) tell(`${type} ${JSON.stringify(body)}`);
      },
      { buffered: true, types: ['csp-violation', 'integrity-violation'] },
    );
    observer.observe();
  });
}
