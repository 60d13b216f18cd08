import type { Page } from 'playwright';

/**
 * Whether the service worker controls the page and has stored it, with all files of releases that it has loaded. The page of an
 * earlier composition does not name them.
 */
export function isStored(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const pages = await caches.open('desk-pages');
    const files = await caches.open('desk-files');
    const address = location.origin + location.pathname + (location.search ? '?c' : '');
    const loaded = performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => name.includes('/chatbot/releases/'));
    const html = (await (await pages.match(address, { ignoreVary: true }))?.text()) ?? '';
    const stored = await Promise.all(loaded.map((name) => files.match(name, { ignoreVary: true })));
    const paths = loaded.map((name) => new URL(name).pathname).filter((path) => /\.(js|css)$/.test(path));
    return (
      navigator.serviceWorker.controller !== null &&
      html !== '' &&
      stored.every(Boolean) &&
      paths.every((path) => html.includes(`"${path}"`))
    );
  });
}
