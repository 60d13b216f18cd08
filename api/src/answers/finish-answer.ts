import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { RecordDocument, RecordModel } from '../models/record.ts';
import { changeRecord } from '../services/change-record.ts';
import type { AnswerOutcome } from './answer-log.ts';

/** The end of an answer is tried to be saved for this long, in ms. */
const finishWithinMs = 30_000;
const tryAgainAfterMs = 500;

/** The record, as long as this process is the one to answer it. */
export interface Mine {
  _id: Types.ObjectId;
  'lease.process': string;
}

/** Writes the end of an answer, trying again while the store is away. Returns how the record ended. */
export async function finishAnswer(
  records: RecordModel,
  mine: Mine,
  outcome: AnswerOutcome,
  log: Logger,
): Promise<AnswerOutcome> {
  for (const start = Date.now(); ; ) {
    try {
      return await writeEnd(records, mine, outcome);
    } catch (cause) {
      if (Date.now() - start > finishWithinMs) {
        log.error(
          { recordId: mine._id.toHexString(), err: cause },
          'the end of an answer could not be saved',
        );
        return outcome;
      }
      await new Promise((resolve) => setTimeout(resolve, tryAgainAfterMs));
    }
  }
}

const over = { lease: null, stopRequested: false, statusBefore: null, begun: true };

async function writeEnd(records: RecordModel, mine: Mine, outcome: AnswerOutcome): Promise<AnswerOutcome> {
  const { status, failure, ...said } = outcome;
  // A retry that ended before it began leaves the answer that was there.
  const isKept = (before: RecordDocument) =>
    before.statusBefore !== null && said.answer === '' && status !== 'done';
  let kept: AnswerOutcome | null = null;
  await changeRecord(records, { ...mine }, (before) => {
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
    return { ...over, ...said, ...unrated, status, answeredAt: new Date() };
  });
  return kept ?? outcome;
}
