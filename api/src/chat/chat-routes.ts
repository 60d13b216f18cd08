import { limitRequests } from '../accounts/limit-requests.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import { ChatQuestion, RetryRequest, type StopReply } from '../contract/chat.ts';
import { noBody } from '../http/body.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { Asking } from './asking.ts';
import { lastEventId, sendAnswer, sendEvents } from './send-answer.ts';

/** Routes to ask questions, and to follow, stop and retry answers. */
export function createChatRoutes(deps: {
  asking: Asking;
  limit: RateLimit;
  modelDesk: Pick<ModelDesk, 'check'>;
}): DeskRoutes {
  const { asking, modelDesk } = deps;
  const limit = limitRequests(deps.limit);
  const router = createRoutes('/api/chat');

  router.post('/', ChatQuestion, limit, async (ctx, question) => {
    const { owner, language } = ctx.state;
    modelDesk.check(question.model);
    await sendAnswer(ctx, await asking.ask(owner, language, question));
  });

  router.get('/:recordId', async (ctx) => {
    const from = lastEventId(ctx);
    sendEvents(ctx, await asking.find(ctx.state.owner, recordIdOf(ctx)), from);
  });

  router.post('/:recordId/stop', noBody(), async (ctx) => {
    const recordId = recordIdOf(ctx);
    return { recordId, status: await asking.stop(ctx.state.owner, recordId) } satisfies StopReply;
  });

  router.post('/:recordId/retry', RetryRequest, limit, async (ctx, { clientId }) => {
    const { owner, language } = ctx.state;
    await sendAnswer(ctx, await asking.retry(owner, language, recordIdOf(ctx), clientId));
  });

  return router;
}

function recordIdOf(ctx: DeskContext): string {
  return ctx.params.recordId ?? '';
}
