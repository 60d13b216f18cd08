import { addressKey } from '../accounts/limit-requests.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import { PageQuery } from '../contract/fields.ts';
import { SharedFileRequest, SharedRequest, ShareRequest } from '../contract/sharing.ts';
import type { OpenFiles } from '../files/open-files.ts';
import { sendFile } from '../files/send-file.ts';
import type { DeskMiddleware } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import type { OpenRecords } from '../records/open-records.ts';

/**
 * Routes to share a conversation through a link, and to read it. Tokens are sent in bodies, so that they are in
 * no address and in no log. With REQUIRE_SIGN_IN only signed-in visitors can read.
 */
export function createShareRoutes(
  { shares, shared }: OpenRecords,
  { readFiles }: OpenFiles,
  limit: RateLimit,
): DeskRoutes {
  const router = createRoutes('/api');

  const reader: DeskMiddleware = async (ctx, next) => {
    ctx.set('X-Robots-Tag', 'noindex, nofollow');
    await limit.take(addressKey(ctx.ip));
    await next();
  };

  router.get('/shares', PageQuery, ({ state }, page) => shares.list(state.owner, page));
  router.get('/conversations/:id/share', (ctx) => shares.find(ctx.state.owner, idOf(ctx)));

  router.post('/conversations/:id/share', ShareRequest, (ctx, request) =>
    shares.create(ctx.state.owner, idOf(ctx), request),
  );

  router.patch('/conversations/:id/share', ShareRequest, (ctx, request) =>
    shares.update(ctx.state.owner, idOf(ctx), request),
  );

  router.delete('/conversations/:id/share', noBody(), (ctx) => shares.revoke(ctx.state.owner, idOf(ctx)));
  router.post('/shared', reader, SharedRequest, (_, asked) => shared.read(asked.token, asked.from));

  router.post('/shared/file', reader, SharedFileRequest, async (ctx, asked) => {
    const { owner, id } = await shared.file(asked.token, asked.file);
    const { upload, file } = await readFiles.open(owner, id);
    sendFile(ctx, upload, file);
    ctx.set('Cache-Control', 'no-store');
  });

  return router;
}
