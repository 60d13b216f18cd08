import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const dist = path.join(import.meta.dirname, 'dist');
const BASE = '/chatbot/bundle/';
/** The server's page without scripts: the floor. */
export const STATIC_PATH = '/chatbot/static';
/** The bundle after a change in one screen, which renames its entry. */
export const CHANGED_PATH = '/chatbot/index?changed';
const CHANGE = '\n';
/** The desk's composition as a plain Module Federation host would load it: without first state, and without preloads. */
export const PLAIN_PATH = '/chatbot/index?plain';

/** Headers of the server's page that are also set for the single bundle. */
const PAGE_HEADERS = [
  'content-type',
  'cache-control',
  'content-security-policy',
  'integrity-policy',
  'x-content-type-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
];

interface OneBundle {
  url: string;
  close(): Promise<void>;
}

interface Sent {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Serves the output of `rspack.config.js` like a release: Brotli, immutable, with integrity and the same
 * policies. All other paths are forwarded to the running server.
 */
export async function serveOneBundle(deskUrl: string): Promise<OneBundle> {
  const release: Release = JSON.parse(readFileSync(path.join(dist, 'release.json'), 'utf8'));
  const files = new Map(release.files.filter(isServed).map((name) => [BASE + name, encoded(name)] as const));
  const { entry } = release;
  const changed = `${BASE}changed.${entry}`;
  files.set(changed, encoded(entry, CHANGE));
  const rename = (text: string) =>
    text.replaceAll(BASE + entry, changed).replaceAll(integrityOf(entry), integrityOf(entry, CHANGE));
  const pages = new Map([
    ['/chatbot/index', await composePage(release, deskUrl)],
    [CHANGED_PATH, await composePage(release, deskUrl, rename)],
    [PLAIN_PATH, await plainPage(deskUrl)],
    [STATIC_PATH, await staticPage(deskUrl)],
  ]);
  const server = createServer((incoming, outgoing) => {
    const { pathname, search } = new URL(incoming.url ?? '/', deskUrl);
    const found = files.get(pathname) ?? pages.get(pathname + search) ?? pages.get(pathname);
    if (!found) return passOn(incoming, outgoing, deskUrl);
    outgoing.writeHead(200, { ...found.headers, 'content-length': found.body.length });
    outgoing.end(found.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Release {
  template: string;
  entry: string;
  entryFiles: { js: string[]; css: string[] };
  files: string[];
}

function isServed(name: string): boolean {
  return /\.(js|css|svg)$/.test(name);
}

function encoded(name: string, more = ''): Sent {
  const type = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }[path.extname(name)];
  return {
    body: brotliCompressSync(readFileSync(path.join(dist, name), 'utf8') + more),
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    },
  };
}

/** The host's page with the bundle's files and the composition of the running server. */
async function composePage(release: Release, deskUrl: string, edit = (text: string) => text): Promise<Sent> {
  const desk = await fetch(`${deskUrl}/chatbot/index`);
  const deskPage = await desk.text();
  const composition = /<script type="application\/json" id="composition">.*?<\/script>/s.exec(deskPage)?.[0];
  const deskMap = /<script type="importmap">(.*?)<\/script>/s.exec(deskPage)?.[1];
  if (!composition || deskMap === undefined)
    throw new Error(
      `${deskUrl}/chatbot/index must carry a composition and an import map, got ${deskPage.slice(0, 500)}`,
    );

  const scripts = release.files.filter((name) => name.endsWith('.js'));
  const integrity = Object.fromEntries(scripts.map((name) => [BASE + name, integrityOf(name)]));
  const importMap = edit(JSON.stringify({ integrity }));
  const proof = (name: string) => `integrity="${integrityOf(name)}" crossorigin`;
  const head = [
    `<script type="importmap">${importMap}</script>`,
    ...release.entryFiles.css.map((name) => `<link rel="stylesheet" href="${BASE}${name}" ${proof(name)}>`),
    ...release.entryFiles.js.map((name) => `<link rel="modulepreload" href="${BASE}${name}" ${proof(name)}>`),
    composition,
    `<script type="module" src="${BASE}${release.entry}" ${proof(release.entry)}></script>`,
    '<link rel="icon" type="image/svg+xml" href="/chatbot/favicon.svg">',
  ].join('\n    ');
  const html = release.template.replace('<!--head-->', () => edit(head));

  const headers = Object.fromEntries(
    PAGE_HEADERS.flatMap((name) => {
      const value = desk.headers.get(name);
      return value === null ? [] : [[name, value.replaceAll(sha256(deskMap), () => sha256(importMap))]];
    }),
  );
  return { body: brotliCompressSync(html), headers: { ...headers, 'content-encoding': 'br' } };
}

function staticPage(deskUrl: string): Promise<Sent> {
  return editedPage(deskUrl, (html) => withoutPreloads(html).replace(/<script.*?<\/script>/gs, ''));
}

function plainPage(deskUrl: string): Promise<Sent> {
  return editedPage(deskUrl, (html) => {
    const [, sheet] = /"([^"]+\/host\/files\/main\.[^"]+\.css)"/.exec(html) ?? [];
    return withoutPreloads(html)
      .replace(/<style.*?<\/style>/gs, '')
      .replace('<link rel="manifest"', `<link rel="stylesheet" href="${sheet}"><link rel="manifest"`)
      .replace(/<link rel="expect"[^>]*>/, '')
      .replace(/<div id="root" data-first="">.*<i id="first-end" hidden><\/i>/s, '<div id="root">');
  });
}

function withoutPreloads(html: string): string {
  return html.replace(/<link rel="(modulepreload|preload)"[^>]*>/g, '');
}

async function editedPage(deskUrl: string, edit: (html: string) => string): Promise<Sent> {
  const desk = await fetch(`${deskUrl}/chatbot/index`);
  const html = edit(await desk.text());
  const headers = Object.fromEntries(
    PAGE_HEADERS.map((name) => [name, desk.headers.get(name) ?? ''] as const).filter(([, value]) => value),
  );
  return { body: brotliCompressSync(html), headers: { ...headers, 'content-encoding': 'br' } };
}

function integrityOf(name: string, more = ''): string {
  const hash = createHash('sha384')
    .update(readFileSync(path.join(dist, name)))
    .update(more);
  return `sha384-${hash.digest('base64')}`;
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, deskUrl: string): void {
  const { method, headers, url } = incoming;
  const upstream = request(
    new URL(url ?? '/', deskUrl),
    { ...(method ? { method } : {}), headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
}
