import Router from '@koa/router';
import { queryOf } from '../middleware/body.ts';
import type { DeskMiddleware, DeskRouter } from '../middleware/desk-state.ts';
import type { RecordList } from '../services/record-list.ts';
import { PageQuery } from './page-query.ts';

/** The owner's records over all conversations. */
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
