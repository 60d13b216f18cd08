import Router from '@koa/router';
import { setFileName } from '../http/content-disposition.ts';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import type { ReadFiles } from './read-files.ts';

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

/** Route for files of the owner's records. Never displayed as a page: see the headers. */
export function createFileRoutes(deps: {
  readFiles: Pick<ReadFiles, 'open'>;
  identify: DeskMiddleware;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api/files' });

  router.get('/:id', deps.identify, async (ctx) => {
    const { upload, file } = await deps.readFiles.open(ctx.state.owner, ctx.params.id ?? '');
    ctx.status = 200;
    ctx.set('Content-Type', named.has(upload.type) ? upload.type : 'application/octet-stream');
    const plain = upload.name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
    setFileName(ctx, upload.name, plain, shown.has(upload.type) ? 'inline' : 'attachment');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    // Must be revalidated: the next request may come from another user, or the file may be erased.
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.set('Vary', 'Authorization, Cookie');
    ctx.etag = upload.blob;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.length = file.size;
    ctx.body = file.stream();
  });

  return router;
}
