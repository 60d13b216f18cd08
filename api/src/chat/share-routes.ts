import Router from '@koa/router';
import { addressKey } from '../accounts/limit-requests.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import { PageQuery } from '../contract/fields.ts';
import { SharedFileRequest, SharedRequest, ShareRequest } from '../contract/sharing.ts';
import type { OpenFiles } from '../files/open-files.ts';
import { sendFile } from '../files/send-file.ts';
import { body, bodyOf, noBody, queryOf } from '../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { OpenRecords } from '../records/open-records.ts';

/**
 * Routes to share a conversation through a link, and to read it. Tokens are sent in bodies, so that they are in
 * no address and in no log. With REQUIRE_SIGN_IN only signed-in visitors can read.
 */
export function createShareRoutes(
  { shares, shared }: OpenRecords,
  { readFiles }: OpenFiles,
  limit: RateLimit,
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  const reader: DeskMiddleware = async (ctx, next) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await limit.take(addressKey(ctx.ip));
    await next();
  };

  router.get('/shares', async (ctx) => {
    ctx.body = await shares.list(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  router.get('/conversations/:id/share', async (ctx) => {
    ctx.body = await shares.find(ctx.state.owner, idOf(ctx));
  });

  router.post('/conversations/:id/share', body(ShareRequest), async (ctx) => {
    ctx.body = await shares.create(ctx.state.owner, idOf(ctx), bodyOf(ctx, ShareRequest));
  });

  router.patch('/conversations/:id/share', body(ShareRequest), async (ctx) => {
    ctx.body = await shares.update(ctx.state.owner, idOf(ctx), bodyOf(ctx, ShareRequest));
  });

  router.delete('/conversations/:id/share', noBody(), async (ctx) => {
    await shares.revoke(ctx.state.owner, idOf(ctx));
    ctx.status = 204;
  });

  router.post('/shared', reader, body(SharedRequest), async (ctx) => {
    const asked = bodyOf(ctx, SharedRequest);
    ctx.body = await shared.read(asked.token, asked.from);
  });

  router.post('/shared/file', reader, body(SharedFileRequest), async (ctx) => {
    const asked = bodyOf(ctx, SharedFileRequest);
    const { owner, id } = await shared.file(asked.token, asked.file);
    const { upload, file } = await readFiles.open(owner, id);
    sendFile(ctx, upload, file);
    ctx.set('Cache-Control', 'no-store');
  });

  return router;
}
