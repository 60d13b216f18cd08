import { judgementOf } from '../answers/judgement.ts';
import type { ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import { ApiError, modelFailed, notFound } from '../errors/errors.ts';
import { clientDisconnected } from '../http/client-disconnect.ts';
import type { DeskContext } from '../http/desk-state.ts';
import type { Asked } from './asking.ts';
import { sendEvents } from './event-stream.ts';

/** Sends the answer as events if requested, otherwise as JSON once it is complete. */
export async function sendAnswer(ctx: DeskContext, asked: Asked): Promise<void> {
  if (wantsEvents(ctx)) sendEvents(ctx, asked, 0);
  else ctx.body = await wholeAnswer(ctx, asked);
}

export function wantsEvents(ctx: DeskContext): boolean {
  return ctx.get('Accept').toLowerCase().includes('text/event-stream');
}

/** null if the client disconnected before the answer was complete. */
async function wholeAnswer(
  ctx: DeskContext,
  { follow, recordId, conversationId, files }: Asked,
): Promise<ChatAnswer | PredictAnswer | null> {
  const left = clientDisconnected(ctx);
  for await (const progress of follow(Number.MAX_SAFE_INTEGER, left)) {
    if (progress.kind !== 'end') continue;
    const { answer: response, citations, source, status, failure, ...rest } = progress.outcome;
    // JSON has no field for the status, so a repeated request for a failed record has to fail again.
    const failed = failure ?? (status === 'failed' ? modelFailed() : null);
    if (failed) throw withSaid(failed, { response, recordId, conversationId });
    return {
      response,
      recordId,
      conversationId,
      citations,
      source,
      ...judgementOf({ source, ...rest }),
      ...files,
    };
  }
  if (!left.aborted) throw notFound('record');
  return null;
}

function withSaid(
  failure: ApiError,
  said: { response: string; recordId: string; conversationId: string },
): ApiError {
  return new ApiError(failure.key, { ...failure.details, said }, failure);
}
