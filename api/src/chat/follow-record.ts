import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { modelFailed } from '../errors/errors.ts';
import type { Contacts } from '../records/contacts.ts';
import type { HiddenRecords } from '../records/hidden-records.ts';
import type { RecordDocument } from '../records/record.ts';
import type { RecordModels } from '../records/record-models.ts';
import { isDead, type ThisProcess } from '../store/process-lease.ts';
import { type AnswerOutcome, type AnswerProgress, storedOutcome } from './answer-log.ts';
import { endAbandoned } from './recover-answers.ts';

/** Polling interval for an answer produced by another process, in ms. */
const pollMs = 250;
/** Maximum UTF-16 units that a reader gets at once, which limits the socket buffer of a slow reader. */
const maxAtOnce = 16_384;

/** Yields the progress of an answer from its record, if it is over or runs in another process. If that process has died, it ends as `failed`. */
export async function* followRecord(
  deps: {
    models: Pick<RecordModels, 'records' | 'conversations'>;
    hidden: Pick<HiddenRecords, 'shownTo'>;
    contacts: Pick<Contacts, 'recount'>;
    self: ThisProcess;
  },
  recordId: Types.ObjectId,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<AnswerProgress> {
  const { models, hidden, contacts, self } = deps;
  let position = from;
  let thought = 0;
  let wasAnswering = false;
  while (!signal.aborted) {
    const stored = await models.records.findById(recordId).lean();
    const [record] = stored ? await hidden.shownTo(stored.owner, [stored]) : [];
    if (!record) return;
    const isOver = record.status !== 'answering';
    // Until a retry begins, the record contains the previous answer, which is not part of the retry.
    const isOwn = isOver || record.begun;
    const answer = isOwn ? record.answer : '';
    // The reasoning of a first answer precedes its text. Records of earlier versions have none.
    const reasoning = isOwn || record.statusBefore === null ? (record.reasoning ?? '') : '';
    if (reasoning.length > thought) {
      yield { kind: 'reasoning', text: reasoning.slice(thought) };
      thought = reasoning.length;
    }
    while (answer.length > position) {
      const end = splitPosition(answer, position + maxAtOnce);
      yield { kind: 'text', text: answer.slice(position, end), end };
      position = end;
    }
    if (isOver) {
      yield { kind: 'end', outcome: outcomeOf(record, wasAnswering) };
      return;
    }
    wasAnswering = true;
    if (isDead(record.lease, self)) await endAbandoned(models, contacts, record);
    else await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** `at`, or one less if that would split a surrogate pair. */
function splitPosition(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const last = text.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}

/** Readers present at the interruption get the failure; later ones get the stored text. */
function outcomeOf(record: RecordDocument, wasAnswering: boolean): AnswerOutcome {
  const status = record.status === 'answering' ? 'failed' : record.status;
  const hasFailed = wasAnswering && status === 'failed';
  const failure = hasFailed ? { failure: modelFailed(record.modelFailure ?? undefined) } : {};
  return storedOutcome(record, { status, ...failure });
}
