import type { Release } from './composition.ts';

/** The part of the Trusted Types API that is used here; missing in browsers without it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
}

let isAllowed: (url: string) => boolean = () => false;

/**
 * Creates the page's default policy if a release consists of classic scripts, whose loaders set addresses as strings: only then the
 * Content-Security-Policy allows it. To be called before code of a remote runs, which could otherwise create it with other rules.
 */
export function claimScriptPolicy(page: Window, releases: readonly Pick<Release, 'standard'>[]): void {
  if (!releases.some(({ standard }) => standard?.type === 'script')) return;
  (page as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (isAllowed(new URL(url, page.document.baseURI).href) ? url : null),
  });
}

/** Allows the loaders of classic builds these addresses; none before. */
export function allowScripts(allowed: (url: string) => boolean): void {
  isAllowed = allowed;
}
