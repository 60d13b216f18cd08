import type { Page } from 'playwright/test';

/** Logs violations of a page's content security policy as console errors, which fail the test. Call it before the first visit. */
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
