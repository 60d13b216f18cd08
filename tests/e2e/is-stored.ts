import type { Page } from 'playwright';

/** Whether the service worker controls the page and has stored it, with all files of releases that it has loaded. */
export function isStored(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const pages = await caches.open('desk-pages');
    const files = await caches.open('desk-files');
    const address = location.origin + location.pathname + (location.search ? '?c' : '');
    const loaded = performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .filter((name) => name.includes('/chatbot/releases/'));
    const stored = await Promise.all([
      pages.match(address, { ignoreVary: true }),
      ...loaded.map((name) => files.match(name, { ignoreVary: true })),
    ]);
    return navigator.serviceWorker.controller !== null && stored.every(Boolean);
  });
}
