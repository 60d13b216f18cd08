import type { OpenEmbeddings } from '../answers/embeddings/open-embeddings.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import type { ModelStatusList } from '../contract/models.ts';
import type { DeskMiddleware } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
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
}): DeskRoutes {
  const router = createRoutes();

  router.get('/api/models', () => modelDesk.list());
  router.get('/api/usage', ({ state }) => modelDesk.usage(state.owner));
  router.get('/api/records/:id/why', (ctx) => recordList.why(ctx.state.owner, idOf(ctx)));

  router.get('/ops/models', needCompose, async () => {
    return {
      models: modelDesk.status(),
      embeddings: (await embeddings?.status()) ?? null,
    } satisfies ModelStatusList;
  });

  return router;
}
