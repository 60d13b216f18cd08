import { setFileName } from '../http/content-disposition.ts';
import type { DeskContext } from '../http/desk-state.ts';
import type { StoredFile } from './storage/file-store.ts';

/** Types displayed inline; all others are downloads. None of these can run scripts. */
const shown = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
/** Types sent with their name; anything that could be interpreted as a page is sent as a binary download. */
const named = new Set([
  ...shown,
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]);

/**
 * Responds with a file that only the caller may read. It is never displayed as a page: see the headers. `type` is its media type, `blob` its
 * content hash.
 */
export function sendFile(
  ctx: DeskContext,
  { name, type, blob }: { name: string; type: string; blob: string },
  file: StoredFile,
): void {
  ctx.status = 200;
  ctx.set('Content-Type', named.has(type) ? type : 'application/octet-stream');
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  setFileName(ctx, name, plain, shown.has(type) ? 'inline' : 'attachment');
  ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
  // Must be revalidated: the next request may come from another user, or the file may be erased.
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.set('Vary', 'Authorization, Cookie');
  ctx.etag = blob;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.length = file.size;
  ctx.body = file.stream();
}
