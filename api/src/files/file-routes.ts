import Router from '@koa/router';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import type { ReadFiles } from './read-files.ts';

/** Shown where they are; everything else is to be saved. None of them can run anything. */
const shown = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);
/** Told by their names; what could be taken for a page is bytes and nothing else. */
const named = new Set([
  ...shown,
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]);

/** Files of one's own records. Never a page: see the headers. */
export function createFileRoutes(deps: {
  readFiles: Pick<ReadFiles, 'open'>;
  identify: DeskMiddleware;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api/files' });

  router.get('/:id', deps.identify, async (ctx) => {
    const { upload, file } = await deps.readFiles.open(ctx.state.owner, ctx.params.id ?? '');
    const isShown = shown.has(upload.type);
    ctx.status = 200;
    ctx.set('Content-Type', named.has(upload.type) ? upload.type : 'application/octet-stream');
    ctx.set('Content-Disposition', `${isShown ? 'inline' : 'attachment'}; ${fileNames(upload.name)}`);
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    // To be asked for each time: it may be somebody else who asks, or it is erased.
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

/** RFC 6266: a plain name for old readers, the whole one in UTF-8 (RFC 8187). */
function fileNames(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}
