import Router from '@koa/router';
import type { OpenEmbeddings } from '../answers/embeddings/open-embeddings.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import type { ModelStatusList } from '../contract/models.ts';
import type { DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { RecordList } from '../records/record-list.ts';

/** Routes for available models, the caller's usage, and explanations of answers. */
export function createModelRoutes({
  modelDesk,
  recordList,
  needCompose,
  embeddings,
}: {
  modelDesk: Pick<ModelDesk, 'list' | 'usage' | 'status'>;
  recordList: Pick<RecordList, 'why'>;
  needCompose: DeskMiddleware;
  embeddings: Pick<OpenEmbeddings, 'status'> | null;
}): DeskRouter {
  const router: DeskRouter = new Router();

  router.get('/api/models', (ctx) => {
    ctx.body = modelDesk.list();
  });

  router.get('/api/usage', async (ctx) => {
    ctx.body = await modelDesk.usage(ctx.state.owner);
  });

  router.get('/api/records/:id/why', async (ctx) => {
    ctx.body = await recordList.why(ctx.state.owner, idOf(ctx));
  });

  router.get('/ops/models', needCompose, async (ctx) => {
    ctx.body = {
      models: modelDesk.status(),
      embeddings: (await embeddings?.status()) ?? null,
    } satisfies ModelStatusList;
  });

  return router;
}
