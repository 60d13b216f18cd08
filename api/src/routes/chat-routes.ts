import Router from '@koa/router';
import { z } from 'zod';
import type { ChatAnswer } from '../contract.ts';
import { ApiError, modelFailed, notFound } from '../errors.ts';
import { body, bodyOf, noBody } from '../middleware/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../middleware/desk-state.ts';
import { limitChat } from '../middleware/limit.ts';
import type { Asked, Asking } from '../services/asking.ts';
import { longestContact } from '../services/contact-id.ts';
import type { Limit } from '../services/limits.ts';
import { lastEventId, sendEvents } from './event-stream.ts';
import { withoutUndefined } from './without-undefined.ts';

const wellFormed = z.string().transform((text) => text.toWellFormed());
const trimmed = wellFormed.transform((text) => text.trim());
// Measured as it is kept: NFKC can make one character many.
const contact = wellFormed
  .transform((text) => text.normalize('NFKC').trim())
  .pipe(z.string().max(longestContact));

const Question = z.object({
  text: trimmed.pipe(z.string().min(1).max(8000)),
  contact: contact.optional(),
  contactName: contact.optional(),
  conversationId: z.string().optional(),
  clientId: wellFormed.pipe(z.string().min(1).max(64)).optional(),
});

/** Asking, and what can be done with an answer while and after it is given. */
export function createChatRoutes(deps: {
  asking: Asking;
  identify: DeskMiddleware;
  limit: Limit;
}): DeskRouter {
  const { asking, identify } = deps;
  const limit = limitChat(deps.limit);
  const router: DeskRouter = new Router({ prefix: '/api/chat' });

  router.post('/', identify, body(Question), limit, async (ctx) => {
    const { owner, language } = ctx.state;
    await answer(ctx, await asking.ask(owner, language, withoutUndefined(bodyOf(ctx, Question))));
  });

  router.get('/:recordId', identify, async (ctx) => {
    const from = lastEventId(ctx);
    sendEvents(ctx, await asking.find(ctx.state.owner, recordIdOf(ctx)), from);
  });

  router.post('/:recordId/stop', identify, noBody(), async (ctx) => {
    const recordId = recordIdOf(ctx);
    ctx.body = { recordId, status: await asking.stop(ctx.state.owner, recordId) };
  });

  router.post('/:recordId/retry', identify, noBody(), limit, async (ctx) => {
    const { owner, language } = ctx.state;
    await answer(ctx, await asking.retry(owner, language, recordIdOf(ctx)));
  });

  return router;
}

/** As events where the caller asked for them, else as JSON once it is over. */
async function answer(ctx: DeskContext, asked: Asked): Promise<void> {
  if (ctx.get('Accept').toLowerCase().includes('text/event-stream')) sendEvents(ctx, asked, 0);
  else ctx.body = await wholeAnswer(ctx, asked);
}

/** null when the caller left before the answer was over. */
async function wholeAnswer(
  ctx: DeskContext,
  { follow, recordId, conversationId }: Asked,
): Promise<ChatAnswer | null> {
  const left = new AbortController();
  ctx.res.once('close', () => left.abort());
  for await (const progress of follow(Number.MAX_SAFE_INTEGER, left.signal)) {
    if (progress.kind === 'text') continue;
    const { answer: response, citations, source, status, failure } = progress.outcome;
    // JSON has no word for how it ended: a failed record that is asked for again has to fail again.
    const failed = failure ?? (status === 'failed' ? modelFailed() : null);
    if (failed) throw withSaid(failed, { response, recordId, conversationId });
    return { response, recordId, conversationId, citations, source };
  }
  if (!left.signal.aborted) throw notFound('record');
  return null;
}

function withSaid(
  failure: ApiError,
  said: { response: string; recordId: string; conversationId: string },
): ApiError {
  return new ApiError(failure.status, failure.error, failure.key, { ...failure.details, said });
}

function recordIdOf(ctx: DeskContext): string {
  return ctx.params.recordId ?? '';
}
