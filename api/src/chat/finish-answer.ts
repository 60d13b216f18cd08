import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { withoutJudgement } from '../answers/judgement.ts';
import { ApiError, modelFailed, modelFailureOf, notFound } from '../errors/errors.ts';
import { toApiError } from '../http/error-body.ts';
import { changeRecord } from '../records/change-record.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import type { ShownTo } from '../records/withdrawn-answers.ts';
import { databaseDate } from '../store/database-clock.ts';
import { isOutage } from '../store/store-failure.ts';
import { type AnswerOutcome, storedOutcome } from './answer-log.ts';

const tryAgainAfterMs = 500;

interface Finishing {
  records: RecordModel;
  shownTo: ShownTo;
  /** The record, while this process holds its lease. */
  mine: { _id: Types.ObjectId; 'lease.process': string };
  asked?: RecordDocument | undefined;
  startedAt: Date;
  log: Logger;
  /** Stops further attempts to save. */
  abandon: AbortSignal;
  /** Called with the reason why an attempt to save failed. */
  refused(failure: ApiError): void;
}

/** Retries while the store is unavailable. Returns the record's end, with a `failure` if it was lost. */
export async function finishAnswer(finishing: Finishing, outcome: AnswerOutcome): Promise<AnswerOutcome> {
  const { mine, log, abandon, refused } = finishing;
  for (;;) {
    try {
      return (await writeEnd(finishing, outcome)) ?? (await lost(finishing, outcome));
    } catch (cause) {
      const mayPass = isOutage(cause) || cause instanceof ApiError;
      const failure = toApiError(cause);
      refused(failure);
      if (abandon.aborted || !mayPass) {
        log.error({ recordId: mine._id.toHexString(), err: cause }, 'saving the end of an answer failed');
        return { ...outcome, status: 'failed', failure };
      }
      await delay(tryAgainAfterMs, undefined, { signal: abandon }).catch(() => undefined);
    }
  }
}

/**
 * Checks whether this end was stored although the store's acknowledgement was lost with the connection.
 * Otherwise the record was deleted, or another process has ended or taken over this answer because the store
 * was unavailable for longer than the lease.
 */
async function lost({ records, mine: { _id } }: Finishing, outcome: AnswerOutcome): Promise<AnswerOutcome> {
  const record = await records.findById(_id, { status: 1, answer: 1 }).lean();
  if (record?.status === outcome.status && record.answer === outcome.answer) return outcome;
  return { ...outcome, status: 'failed', failure: record ? modelFailed() : notFound('record') };
}

const over = { lease: null, stopRequested: false, statusBefore: null, begun: true };

/** null if this process no longer holds the lease. */
async function writeEnd({ records, shownTo, mine, asked, startedAt }: Finishing, outcome: AnswerOutcome) {
  const { status, failure, ...said } = outcome;
  // A retry that ended before it began keeps the previous answer.
  const isKept = (before: RecordDocument) =>
    before.statusBefore !== null && said.answer === '' && status !== 'done';
  const isAbandoned = failure?.error === 'unavailable';
  const kept: RecordDocument[] = [];
  const change = (before: RecordDocument): Partial<RecordDocument> => {
    kept.length = 0;
    if (isKept(before)) {
      kept.push(before);
      const ended = (status === 'failed' && before.statusBefore) || status;
      return { ...over, status: ended, ...(isAbandoned && ended === 'failed' ? { isAbandoned } : {}) };
    }
    // Ratings and later answers of the previous answer do not apply to this one.
    const unrated =
      before.statusBefore !== null && !before.begun ? { feedback: null, answeredSince: null } : {};
    const modelFailure = failure ? modelFailureOf(failure) : null;
    return {
      ...over,
      ...withoutJudgement,
      ...said,
      ...(said.why ? { hasWhy: true } : {}),
      ...unrated,
      status,
      modelFailure,
      ...(isAbandoned ? { isAbandoned } : {}),
      answerStartedAt: startedAt,
      answeredAt: databaseDate(),
    };
  };
  const written = await changeRecord(records, { ...mine }, change, asked);
  if (!written) return null;
  const [previous] = await shownTo(written.owner, kept);
  return previous ? storedOutcome(previous, outcome) : outcome;
}
