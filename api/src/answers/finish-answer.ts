import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { RecordDocument, RecordModel } from '../models/record.ts';
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
  const { status, answer, source, citations, suggestions } = outcome;
  if (answer === '' && status !== 'done') {
    const before = await records.findOne(mine).lean();
    if (before?.statusBefore) return keepAnswerBefore(records, mine, outcome, before);
  }
  await records.updateOne(mine, {
    $set: { ...over, status, answer, source, citations, suggestions, answeredAt: new Date() },
  });
  return outcome;
}

/** A retry that ended before it began leaves the answer that was there. */
async function keepAnswerBefore(
  records: RecordModel,
  mine: Mine,
  { status, failure }: AnswerOutcome,
  before: RecordDocument,
): Promise<AnswerOutcome> {
  const kept = status === 'failed' ? before.statusBefore : status;
  await records.updateOne(mine, { $set: { ...over, status: kept } });
  const { answer, source, citations, suggestions } = before;
  return { status, answer, source, citations, suggestions, ...(failure ? { failure } : {}) };
}
