import { extname } from 'node:path';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** The media type of a file, by its name. HTML is sent as plain text: a release's file must never be displayed as a page. */
export function mediaType(path: string): string {
  const extension = extname(path).toLowerCase();
  if (extension === '.html') return 'text/plain; charset=utf-8';
  return TYPES[extension] ?? 'application/octet-stream';
}

/** Whether brotli and gzip are worthwhile for this type. */
export function isCompressible(type: string): boolean {
  return /^text\/|json|svg|wasm/.test(type);
}
