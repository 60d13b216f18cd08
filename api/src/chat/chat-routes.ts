import { limitRequests } from '../accounts/limit-requests.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { OpenEmbeddings } from '../answers/embeddings/open-embeddings.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import { ChatQuestion, RetryRequest, type StopReply } from '../contract/chat.ts';
import type { ModelStatusList } from '../contract/models.ts';
import type { DeskContext, DeskMiddleware } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import type { RecordList } from '../records/record-list.ts';
import type { Asking } from './asking.ts';
import { lastEventId, sendAnswer, sendEvents } from './send-answer.ts';

/** Routes to ask questions, to follow, stop, retry and explain answers, and for models and the caller's usage of them. */
export function createChatRoutes(deps: {
  asking: Asking;
  limit: RateLimit;
  modelDesk: Pick<ModelDesk, 'check' | 'list' | 'usage' | 'status'>;
  recordList: Pick<RecordList, 'why'>;
  needCompose: DeskMiddleware;
  embeddings: Pick<OpenEmbeddings, 'status'> | null;
}): DeskRoutes {
  const { asking, modelDesk, recordList, needCompose, embeddings } = deps;
  const limit = limitRequests(deps.limit);
  const router = createRoutes();

  router.post('/api/chat', ChatQuestion, limit, async (ctx, question) => {
    const { owner, language } = ctx.state;
    modelDesk.check(question.model);
    await sendAnswer(ctx, await asking.ask(owner, language, question));
  });

  router.get('/api/chat/:recordId', async (ctx) => {
    const from = lastEventId(ctx);
    sendEvents(ctx, await asking.find(ctx.state.owner, recordIdOf(ctx)), from);
  });

  router.post('/api/chat/:recordId/stop', noBody(), async (ctx) => {
    const recordId = recordIdOf(ctx);
    return { recordId, status: await asking.stop(ctx.state.owner, recordId) } satisfies StopReply;
  });

  router.post('/api/chat/:recordId/retry', RetryRequest, limit, async (ctx, { clientId }) => {
    const { owner, language } = ctx.state;
    await sendAnswer(ctx, await asking.retry(owner, language, recordIdOf(ctx), clientId));
  });

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

function recordIdOf(ctx: DeskContext): string {
  return ctx.params.recordId ?? '';
}
