import type { BrowserContext } from 'playwright/test';

/** Chromium's console message about a server error. */
const SERVER_ERROR = /the server responded with a status of (5\d\d)/;

export interface Expected {
  expectedErrors: RegExp | undefined;
  expectedServerErrors: RegExp | undefined;
}

/**
 * Collects the errors of all pages of a browser context from now on: console errors, uncaught errors and responses with a status of 500
 * and above. The returned function returns the unexpected ones.
 */
export function watchPages(context: BrowserContext, expected: Expected): () => string[] {
  const errors: string[] = [];
  const serverErrors: string[] = [];
  context.on('weberror', (error) => errors.push(`page error: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    const [, status] = SERVER_ERROR.exec(message.text()) ?? [];
    if (status) serverErrors.push(`${status} ${url}`);
    else errors.push(`console: ${message.text()} (${url})`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) serverErrors.push(`${response.status()} ${response.url()}`);
  });
  return () => [
    ...errors.filter((text) => !expected.expectedErrors?.test(text)),
    ...serverErrors.filter((text) => !expected.expectedServerErrors?.test(text)),
  ];
}
