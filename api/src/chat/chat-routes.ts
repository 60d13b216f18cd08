import Router from '@koa/router';
import { limitRequests } from '../accounts/limit-requests.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { ModelDesk } from '../answers/model/model-desk.ts';
import { ChatQuestion, RetryRequest, type StopReply } from '../contract/chat.ts';
import { body, bodyOf, noBody } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import type { Asking } from './asking.ts';
import { lastEventId, sendAnswer, sendEvents } from './send-answer.ts';

/** Routes to ask questions, and to follow, stop and retry answers. */
export function createChatRoutes(deps: {
  asking: Asking;
  limit: RateLimit;
  modelDesk: Pick<ModelDesk, 'check'>;
}): DeskRouter {
  const { asking, modelDesk } = deps;
  const limit = limitRequests(deps.limit);
  const router: DeskRouter = new Router({ prefix: '/api/chat' });

  router.post('/', body(ChatQuestion), limit, async (ctx) => {
    const { owner, language } = ctx.state;
    const question = bodyOf(ctx, ChatQuestion);
    modelDesk.check(question.model);
    await sendAnswer(ctx, await asking.ask(owner, language, question));
  });

  router.get('/:recordId', async (ctx) => {
    const from = lastEventId(ctx);
    sendEvents(ctx, await asking.find(ctx.state.owner, recordIdOf(ctx)), from);
  });

  router.post('/:recordId/stop', noBody(), async (ctx) => {
    const recordId = recordIdOf(ctx);
    ctx.body = { recordId, status: await asking.stop(ctx.state.owner, recordId) } satisfies StopReply;
  });

  router.post('/:recordId/retry', body(RetryRequest), limit, async (ctx) => {
    const { owner, language } = ctx.state;
    const { clientId } = bodyOf(ctx, RetryRequest);
    await sendAnswer(ctx, await asking.retry(owner, language, recordIdOf(ctx), clientId));
  });

  return router;
}

function recordIdOf(ctx: DeskContext): string {
  return ctx.params.recordId ?? '';
}
