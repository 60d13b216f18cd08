import Router from '@koa/router';
import { queryOf } from '../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { PageQuery } from '../http/page-query.ts';
import type { RecordList } from './record-list.ts';

/** Routes for the owner's records of all conversations. */
export function createRecordRoutes({
  recordList,
  identify,
}: {
  recordList: RecordList;
  identify: DeskMiddleware;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/records', identify, async (ctx) => {
    ctx.body = await recordList.page(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  router.get('/records/:id', identify, async (ctx) => {
    ctx.body = await recordList.find(ctx.state.owner, ctx.params.id ?? '');
  });

  return router;
}
