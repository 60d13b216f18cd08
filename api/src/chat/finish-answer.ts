import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { ApiError, internal, modelFailed, modelFailureOf, notFound } from '../contract/errors.ts';
import { changeRecord } from '../records/change-record.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import { isOutage } from '../store/store-failure.ts';
import type { AnswerOutcome } from './answer-log.ts';

const tryAgainAfterMs = 500;

/** The record, as long as this process is the one to answer it. */
interface Mine {
  _id: Types.ObjectId;
  'lease.process': string;
}

interface Finishing {
  records: RecordModel;
  mine: Mine;
  /** When this attempt began. */
  startedAt: Date;
  log: Logger;
  /** Ends the attempts to save. */
  giveUp: AbortSignal;
}

/**
 * Writes the end of an answer, trying again while the store is away. Returns how the record ended, with a
 * `failure` when this end is not in the store.
 */
export async function finishAnswer(finishing: Finishing, outcome: AnswerOutcome): Promise<AnswerOutcome> {
  const { mine, log, giveUp } = finishing;
  for (;;) {
    try {
      return (await writeEnd(finishing, outcome)) ?? (await lost(finishing, outcome));
    } catch (cause) {
      const mayPass = isOutage(cause) || cause instanceof ApiError;
      if (giveUp.aborted || !mayPass) {
        log.error(
          { recordId: mine._id.toHexString(), err: cause },
          'the end of an answer could not be saved',
        );
        return { ...outcome, status: 'failed', failure: internal() };
      }
      await delay(tryAgainAfterMs, undefined, { signal: giveUp }).catch(() => undefined);
    }
  }
}

/**
 * Whether this end was written all the same: the store's acknowledgement may have been lost with the connection. Otherwise the record was
 * removed, or another process has ended or taken over this answer because the store was away for longer than the lease.
 */
async function lost({ records, mine: { _id } }: Finishing, outcome: AnswerOutcome): Promise<AnswerOutcome> {
  const record = await records.findById(_id, { status: 1, answer: 1 }).lean();
  if (record?.status === outcome.status && record.answer === outcome.answer) return outcome;
  return { ...outcome, status: 'failed', failure: record ? modelFailed() : notFound('record') };
}

const over = { lease: null, stopRequested: false, statusBefore: null, begun: true };

/** null when the record is not this process's to answer any more. */
async function writeEnd(
  { records, mine, startedAt }: Finishing,
  outcome: AnswerOutcome,
): Promise<AnswerOutcome | null> {
  const { status, failure, ...said } = outcome;
  // A retry that ended before it began leaves the answer that was there.
  const isKept = (before: RecordDocument) =>
    before.statusBefore !== null && said.answer === '' && status !== 'done';
  let kept: AnswerOutcome | null = null;
  const written = await changeRecord(records, { ...mine }, (before) => {
    kept = null;
    if (isKept(before)) {
      const { answer, source, citations, suggestions, model, reasoning } = before;
      const saidBefore = {
        answer,
        source,
        citations,
        suggestions,
        model: model ?? '',
        reasoning: reasoning ?? '',
      };
      kept = { status, ...saidBefore, why: null, ...(failure ? { failure } : {}) };
      return { ...over, status: (status === 'failed' && before.statusBefore) || status };
    }
    // What was thought of the answer before, or said since, says nothing of this one.
    const unrated =
      before.statusBefore !== null && !before.begun ? { feedback: null, answeredSince: null } : {};
    const modelFailure = failure ? modelFailureOf(failure) : null;
    return {
      ...over,
      ...said,
      ...unrated,
      status,
      modelFailure,
      answerStartedAt: startedAt,
      answeredAt: new Date(),
    };
  });
  return written && (kept ?? outcome);
}
