/**
 * Takes links to style sheets of remotes out of the page that did not come (missing, or not the bytes that were published). The
 * bundler's loader takes a link for the style sheet; without it the loader asks again, and fails where it has to, so that the
 * previous release is shown rather than a bare screen. A page's scripts run after its linked style sheets have come or failed.
 */
export function forgetFailedStyles(page: Document): void {
  for (const link of page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][data-rspack]'))
    if (!hasRules(link.sheet)) link.remove();
}

/** Chromium gives a missing style sheet an empty one, and a refused one of another media type one that cannot be read. */
function hasRules(sheet: CSSStyleSheet | null): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}
