import Router from '@koa/router';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import type { DeskMiddleware, DeskRouter } from '../middleware/desk-state.ts';
import type { RecordList } from '../services/record-list.ts';

/** What models there are, what they have cost the caller, and why an answer is what it is. */
export function createModelRoutes({
  modelDesk,
  recordList,
  identify,
}: {
  modelDesk: Pick<ModelDesk, 'list' | 'usage'>;
  recordList: Pick<RecordList, 'why'>;
  identify: DeskMiddleware;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/models', identify, (ctx) => {
    ctx.body = modelDesk.list();
  });

  router.get('/usage', identify, async (ctx) => {
    ctx.body = await modelDesk.usage(ctx.state.owner);
  });

  router.get('/records/:id/why', identify, async (ctx) => {
    ctx.body = await recordList.why(ctx.state.owner, ctx.params.id ?? '');
  });

  return router;
}
