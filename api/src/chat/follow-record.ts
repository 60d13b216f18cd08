import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { modelFailed } from '../contract/errors.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import { isDead, type ThisProcess } from '../store/this-process.ts';
import type { AnswerOutcome, AnswerProgress } from './answer-log.ts';
import { failAbandoned } from './recover-answers.ts';

/** How often the record of an answer that another process gives is read, in ms. */
const pollMs = 250;
/** What a reader gets in one go, in UTF-16 units: bounds what waits in a slow one's socket. */
const mostAtOnce = 16_384;

/**
 * Follows an answer by its record: one that is over, or one that another process gives. When that process is gone, the answer
 * ends here as `failed`.
 */
export async function* followRecord(
  { records, self }: { records: RecordModel; self: ThisProcess },
  recordId: Types.ObjectId,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<AnswerProgress> {
  let position = from;
  let thought = 0;
  let wasAnswering = false;
  while (!signal.aborted) {
    const record = await records.findById(recordId).lean();
    if (!record) return;
    const isOver = record.status !== 'answering';
    // A retry that has not begun still shows the answer before it: that is none of its text.
    const isOwn = isOver || record.begun;
    const answer = isOwn ? record.answer : '';
    // What the first answer is thought out of comes before it begins. Records of earlier versions have none.
    const reasoning = isOwn || record.statusBefore === null ? (record.reasoning ?? '') : '';
    if (reasoning.length > thought) {
      yield { kind: 'reasoning', text: reasoning.slice(thought) };
      thought = reasoning.length;
    }
    while (answer.length > position) {
      const end = wholeUpTo(answer, position + mostAtOnce);
      yield { kind: 'text', text: answer.slice(position, end), end };
      position = end;
    }
    if (isOver) {
      yield { kind: 'end', outcome: outcomeOf(record, wasAnswering) };
      return;
    }
    wasAnswering = true;
    if (isDead(record.lease, self)) await failAbandoned(records, record);
    else await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** `at`, or one less where that would split a surrogate pair. */
function wholeUpTo(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const last = text.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}

/** Whoever was reading while it broke off is told so; whoever comes later gets what there is. */
function outcomeOf(record: RecordDocument, wasAnswering: boolean): AnswerOutcome {
  const { status, answer, source, citations, suggestions, model, reasoning } = record;
  const ended = status === 'answering' ? 'failed' : status;
  const failure =
    wasAnswering && ended === 'failed' ? { failure: modelFailed(record.modelFailure ?? undefined) } : {};
  const thought = { model: model ?? '', reasoning: reasoning ?? '', why: null };
  return { status: ended, answer, source, citations, suggestions, ...thought, ...failure };
}
