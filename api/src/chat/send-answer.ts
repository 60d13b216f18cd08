import { judgementOf } from '../answers/judgement.ts';
import type { AnswerEvent, ChatAnswer, PredictAnswer } from '../contract/chat.ts';
import type { ReadingProgress } from '../contract/files.ts';
import { ApiError, errorBody, invalidRequest, modelFailed, notFound } from '../errors/errors.ts';
import { clientDisconnected } from '../http/client-disconnect.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { toApiError } from '../http/error-body.ts';
import { encodeEvent, sendEventStream } from '../http/send-event-stream.ts';
import type { AnswerOutcome, AnswerProgress } from './answer-log.ts';
import type { Asked } from './asking.ts';

/** Sends the answer as events if requested, otherwise as JSON once it is complete. */
export async function sendAnswer(ctx: DeskContext, asked: Asked): Promise<void> {
  if (wantsEvents(ctx)) sendEvents(ctx, asked, 0);
  else ctx.body = await answerWhenWhole(ctx, asked);
}

export function wantsEvents(ctx: DeskContext): boolean {
  return ctx.get('Accept').toLowerCase().includes('text/event-stream');
}

/** null if the client disconnected before the answer was complete. */
async function answerWhenWhole(ctx: DeskContext, asked: Asked): Promise<ChatAnswer | PredictAnswer | null> {
  const left = clientDisconnected(ctx);
  for await (const progress of asked.follow(Number.MAX_SAFE_INTEGER, left)) {
    if (progress.kind !== 'end') continue;
    const { status, failure, answer: response } = progress.outcome;
    // JSON has no field for the status, so a repeated request for a failed record has to fail again.
    const failed = failure ?? (status === 'failed' ? modelFailed() : null);
    if (!failed) return wholeAnswer(asked, progress.outcome);
    const { recordId, conversationId } = asked;
    const said = { response, recordId, conversationId };
    throw new ApiError(failed.key, { ...failed.details, said }, failed);
  }
  if (!left.aborted) throw notFound('record');
  return null;
}

function wholeAnswer(
  { recordId, conversationId, files }: Asked,
  { answer: response, citations, source, ...rest }: AnswerOutcome,
): ChatAnswer | PredictAnswer {
  const judgement = judgementOf({ source, ...rest });
  return { response, recordId, conversationId, citations, source, ...judgement, ...files };
}

/** The reader's position: `Last-Event-ID`, or 0. @throws invalidRequest unless it is a whole number. */
export function lastEventId(ctx: DeskContext): number {
  const given = ctx.get('Last-Event-ID').trim();
  if (given === '') return 0;
  if (!/^\d{1,9}$/.test(given)) throw invalidRequest('Last-Event-ID');
  return Number(given);
}

/**
 * Sends the events of `asked` after UTF-16 unit `from`, with backpressure: unread data is not copied per
 * reader. If the reader disconnects, only the sending ends, not the answer.
 */
export function sendEvents(ctx: DeskContext, asked: Asked, from: number): void {
  send(ctx, (signal, toErrorBody) => readEvents(asked, from, signal, toErrorBody));
}

/** The same for a record that does not exist yet: `reading` yields progress, and returns the record. */
export function sendReading(ctx: DeskContext, reading: AsyncGenerator<ReadingProgress, Asked>): void {
  send(ctx, (signal, toErrorBody) => readReading(reading, signal, toErrorBody));
}

const encode = (event: AnswerEvent, position: number): string => encodeEvent(event, position);

type ToErrorBody = (failure: ApiError) => ReturnType<typeof errorBody>;

function send(
  ctx: DeskContext,
  read: (signal: AbortSignal, toErrorBody: ToErrorBody) => AsyncGenerator<string>,
): void {
  const { requestId, language } = ctx.state;
  const toErrorBody: ToErrorBody = (failure) => errorBody(failure, language, requestId);
  sendEventStream(ctx, (signal) => read(signal, toErrorBody));
}

async function* readReading(
  reading: AsyncGenerator<ReadingProgress, Asked>,
  signal: AbortSignal,
  toErrorBody: ToErrorBody,
): AsyncGenerator<string> {
  let asked: Asked | null = null;
  try {
    while (!asked) {
      const { value, done } = await reading.next();
      if (done) asked = value;
      else yield encode({ event: 'reading', data: value }, 0);
    }
  } catch (cause) {
    if (!signal.aborted) yield encode({ event: 'error', data: toErrorBody(toApiError(cause)) }, 0);
    return;
  }
  yield* readEvents(asked, 0, signal, toErrorBody);
}

async function* readEvents(asked: Asked, from: number, signal: AbortSignal, toErrorBody: ToErrorBody) {
  const { recordId, conversationId, clientId, question } = asked;
  let position = from;
  yield encode({ event: 'record', data: { recordId, conversationId, clientId, ...question } }, position);
  try {
    for await (const progress of asked.follow(from, signal)) {
      if (progress.kind === 'text') position = progress.end;
      yield encode(toEvent(asked, progress, toErrorBody), position);
      if (progress.kind === 'end') return;
    }
    // The record was purged while it was read.
    if (!signal.aborted)
      yield encode({ event: 'error', data: { ...toErrorBody(notFound('record')), recordId } }, position);
  } catch {
    // The store became unavailable while following another process's answer. The client reconnects with its
    // Last-Event-ID.
    if (!signal.aborted)
      yield encode({ event: 'error', data: { ...toErrorBody(modelFailed()), recordId } }, position);
  }
}

function toEvent(asked: Asked, progress: AnswerProgress, toErrorBody: ToErrorBody): AnswerEvent {
  if (progress.kind === 'text') return { event: 'delta', data: { text: progress.text } };
  if (progress.kind === 'reasoning') return { event: 'reasoning', data: { text: progress.text } };
  const { failure, status, suggestions, model } = progress.outcome;
  if (failure) return { event: 'error', data: { ...toErrorBody(failure), recordId: asked.recordId } };
  return { event: 'done', data: { ...wholeAnswer(asked, progress.outcome), status, suggestions, model } };
}
