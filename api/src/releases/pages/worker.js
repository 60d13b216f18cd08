/**
 * The service worker of the pages below /chatbot, with which they open while the server cannot be reached. Sent to browsers as it is.
 *
 * Pages come from the network, and only if that fails from the cache; each answer of the server replaces what is stored, or removes it. Files of
 * releases never change under their address, and are stored only if their integrity was checked. Everything else is left to the browser.
 */
/** Header of every page: the composition that it shows, with its fallbacks; 'none' if this page is not the live one. */
const EDITION = 'Desk-Edition';
/** /chatbot/ */
const ROOT = new URL(registration.scope).pathname;
/** The path before it: desks below other paths of the host have caches of their own. */
const BASE_PATH = ROOT.replace(/\/chatbot\/$/, '');
const PAGES = `desk-pages${BASE_PATH}`;
const FILES = `desk-files${BASE_PATH}`;
const HOME = `${ROOT}index`;
const MOST_PAGES = 24;
const CODE = /\.(m?js|css)$/;

addEventListener('install', () => skipWaiting());

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()]));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || !pathname.startsWith(ROOT)) return;
  if (request.mode === 'navigate' && !pathname.includes('.')) event.respondWith(openPage(event));
  // A file that the browser's cache has lost or damaged is loaded again like this.
  else if (isFile(pathname) && request.mode !== 'navigate' && request.cache !== 'reload')
    event.respondWith(openFile(event));
});

/** `{page, files}`: the addresses of a page, and of what it has loaded before this worker could see it. */
addEventListener('message', (event) => event.waitUntil(keep(event.data)));

/** The page that was stored last. */
let newest = Promise.resolve(undefined);

async function openPage(event) {
  const { request } = event;
  try {
    const response = (await event.preloadResponse) ?? (await fetch(request));
    // Where Chromium rejects, Firefox resolves with a preloaded error.
    if (response.type === 'error') throw new TypeError('Failed to fetch');
    newest = keepPage(request.url, response.clone());
    event.waitUntil(newest);
    return response;
  } catch (cause) {
    const stored = await storedPage(request.url);
    if (!stored) throw cause;
    return stored;
  }
}

async function openFile(event) {
  const { url, integrity } = event.request;
  const files = await caches.open(FILES);
  const stored = await files.match(url, { ignoreVary: true });
  if (stored) return stored;
  const response = await fetch(event.request);
  if (response.ok && integrity) event.waitUntil(put(files, url, response.clone()));
  // Preloads do not show their integrity here.
  else if (response.ok) event.waitUntil(newest.then((html) => keepFile(files, url, html)));
  return response;
}

async function keep({ page, files }) {
  // Not counted as an opened page.
  newest = keepPage(page, await fetch(page, { headers: { Purpose: 'prefetch' } }));
  const html = await newest;
  if (html === undefined) return;
  const cache = await caches.open(FILES);
  const added = files.filter((url) => {
    const { origin, pathname } = new URL(url);
    return origin === location.origin && isFile(pathname);
  });
  await Promise.all(added.map((url) => keepFile(cache, url, html)));
  // Scripts and style sheets that the page does not name belong to compositions of earlier visits.
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (CODE.test(pathname) && !integrityIn(html, pathname)) await cache.delete(url);
  }
}

/** Stores a page, and removes those of other editions. Resolves with its HTML; undefined if it must not be stored. */
async function keepPage(url, response) {
  const edition = response.headers.get(EDITION);
  // Another server has answered, or this one without a page.
  if (response.status !== 200 || !edition) return undefined;
  const pages = await caches.open(PAGES);
  for (const key of await pages.keys()) {
    const stored = await pages.match(key);
    if (stored?.headers.get(EDITION) !== edition) await pages.delete(key);
  }
  if (edition === 'none') return undefined;
  const html = await response.clone().text();
  await put(pages, keyOf(url), response);
  for (const key of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(key);
  return html;
}

/** Stores a file, which the browser usually has; a script or a style sheet only with the integrity that the page demands. */
async function keepFile(files, url, html = '') {
  const { pathname } = new URL(url);
  const integrity = integrityIn(html, pathname);
  if ((CODE.test(pathname) && !integrity) || (await files.match(url, { ignoreVary: true }))) return;
  const response = await fetch(url, { integrity }).catch(() => undefined);
  if (response?.ok) await put(files, url, response);
}

/** The integrity of a script or style sheet; '' if the page does not name it. */
function integrityIn(html, pathname) {
  const [, after = ''] = html.split(`"${pathname}":"`);
  return after.split('"', 1)[0];
}

/** The stored page, marked with the time when it was stored; otherwise the home page, which shows the screen of any address. */
async function storedPage(url) {
  const pages = await caches.open(PAGES);
  const { origin, pathname } = new URL(url);
  for (const key of [keyOf(url), origin + pathname, origin + HOME]) {
    const stored = await pages.match(key, { ignoreVary: true });
    if (!stored) continue;
    const { headers } = stored;
    const html = await stored.text();
    const savedAt = new Date(headers.get('Date') ?? Date.now()).toISOString();
    return new Response(html.replace('<html ', `<html data-saved-at="${savedAt}" `), { headers });
  }
  return undefined;
}

/** Pages depend on the names of parameters, not on their values. */
function keyOf(url) {
  const { origin, pathname, searchParams } = new URL(url);
  const names = [...new Set(searchParams.keys())].sort();
  return origin + pathname + (names.length > 0 ? `?${names.join('&')}` : '');
}

function isFile(pathname) {
  return pathname.startsWith(`${ROOT}releases/`);
}

/** Without room it is not stored. */
function put(cache, key, response) {
  return cache.put(key, response).catch(() => undefined);
}
