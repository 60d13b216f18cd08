import { setFileName } from '../http/content-disposition.ts';
import type { DeskContext } from '../http/desk-state.ts';
import type { ByteRange, StoredFile } from './storage/file-store.ts';

/** Types displayed inline; all others are downloads. None of these can run scripts. */
const shown = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
const office = 'application/vnd.openxmlformats-officedocument';
/** Media types of documents. */
export const documentTypes = {
  pdf: 'application/pdf',
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
} as const;
/** Media types that are sent; anything else could be interpreted as a page and is sent as a binary download. */
const named = new Set([...shown, ...Object.values(documentTypes)]);

/**
 * Responds with a file that only the caller may read. It is never displayed as a page: see the headers. `type` is its
 * media type, `blob` its content hash.
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
  // Must be revalidated: the next request may come from another user, or the file may be deleted.
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.set('Vary', 'Authorization, Cookie');
  ctx.etag = blob;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.set('Accept-Ranges', 'bytes');
  const range = requestedRange(ctx, file.size);
  if (range === 'outside') {
    ctx.status = 416;
    ctx.set('Content-Range', `bytes */${file.size}`);
    return;
  }
  if (range) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end - 1}/${file.size}`);
  }
  ctx.length = range ? range.end - range.start : file.size;
  ctx.body = file.stream(range);
}

/**
 * The requested part of the file; undefined for all of it. As RFC 9110 permits, the whole file is also the response to
 * several ranges, to units other than bytes, and to a range of another version (`If-Range`).
 */
function requestedRange(ctx: DeskContext, size: number): ByteRange | 'outside' | undefined {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(ctx.get('Range'));
  const version = ctx.get('If-Range');
  if (!asked || ctx.method !== 'GET' || (version !== '' && version !== ctx.response.get('ETag')))
    return undefined;
  const [, first = '', last = ''] = asked;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'outside';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
