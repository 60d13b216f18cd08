import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { AnswerPiece } from '../answers/answerer.ts';
import { ApiError, internal, modelFailed, unavailable } from '../contract/errors.ts';
import { changeRecord } from '../records/change-record.ts';
import type { RecordModel } from '../records/record.ts';
import { isOutage } from '../store/store-failure.ts';
import { leaseMs, type ThisProcess } from '../store/this-process.ts';
import { within } from '../store/within.ts';
import { type AnswerLog, type AnswerOutcome, createAnswerLog } from './answer-log.ts';
import { finishAnswer } from './finish-answer.ts';
import { readPieces, saidSoFar } from './read-pieces.ts';
import { saveNowAndThen } from './save-now-and-then.ts';

export interface RunningAnswer {
  readonly log: AnswerLog;
  /** Ends the answer; what was said is kept. */
  stop(): void;
  /** Resolves when readers have got the end: saved, or a failure when the store is away for longer than 3 s. */
  readonly ended: Promise<void>;
  /** Resolves when the end is saved, or cannot be. */
  readonly saved: Promise<void>;
}

/** Time that the end of an answer has to be saved before its readers get `unavailable`; saving continues in the background. In ms. */
const saveWithinMs = 3000;

/**
 * The answers that this process is giving. Each goes on without its readers, is saved as it grows, and ends in its record:
 * `done`, `stopped` or `failed`, with all that was said.
 */
export interface RunningAnswers {
  /** `begin` asks the answerer; it runs until its pieces end or its signal aborts. */
  start(recordId: Types.ObjectId, begin: (signal: AbortSignal) => AsyncIterable<AnswerPiece>): RunningAnswer;
  get(recordId: string): RunningAnswer | undefined;
  /** Lets what runs end within `ms`, then breaks it off as `failed`; what the store has not taken `ms` later is given up. */
  drain(ms: number): Promise<void>;
}

export function createRunningAnswers(deps: {
  records: RecordModel;
  self: ThisProcess;
  log: Logger;
}): RunningAnswers {
  const running = new Map<string, BreakableAnswer>();
  return {
    start(recordId, begin) {
      const id = recordId.toHexString();
      const answer = runAnswer(deps, recordId, begin);
      running.set(id, answer);
      void answer.saved.then(() => running.get(id) === answer && running.delete(id));
      return answer;
    },
    get: (recordId) => running.get(recordId),
    async drain(ms) {
      const all = Promise.all([...running.values()].map((answer) => answer.saved));
      const breakingOff = setTimeout(() => {
        for (const answer of running.values()) answer.breakOff();
      }, ms);
      const givingUp = setTimeout(() => {
        for (const answer of running.values()) answer.giveUp();
      }, 2 * ms);
      await all;
      clearTimeout(breakingOff);
      clearTimeout(givingUp);
    },
  };
}

interface BreakableAnswer extends RunningAnswer {
  breakOff(): void;
  giveUp(): void;
}

type Ending = 'stopped' | 'broken off' | 'gone';

function runAnswer(
  { records, self, log }: { records: RecordModel; self: ThisProcess; log: Logger },
  recordId: Types.ObjectId,
  begin: (signal: AbortSignal) => AsyncIterable<AnswerPiece>,
): BreakableAnswer {
  const startedAt = new Date();
  const answerLog = createAnswerLog();
  const abort = new AbortController();
  let ending: Ending | null = null;
  const leave = (why: Ending) => {
    ending ??= why;
    abort.abort();
  };
  const mine = { _id: recordId, 'lease.process': self.process };

  /** Known from the first save on. Until a retry begins, the record keeps the thoughts that belong to the answer it shows. */
  let isRetry: boolean | null = null;

  /** Saves what there is; learns of a stop asked for elsewhere, and of a record that is no longer this process's to answer. */
  async function save(): Promise<void> {
    const begun = answerLog.length > 0;
    const seen = await records
      .findOneAndUpdate(
        mine,
        {
          $set: {
            'lease.until': new Date(Date.now() + leaseMs),
            ...(begun
              ? {
                  answer: answerLog.text(),
                  begun,
                  answerStartedAt: startedAt,
                  citations: [...answerLog.citations],
                  suggestions: [],
                  source: 'none',
                  model: answerLog.by?.model ?? '',
                }
              : {}),
            ...(begun || isRetry === false ? { reasoning: answerLog.reasoning() } : {}),
          },
        },
        { projection: { stopRequested: 1, statusBefore: 1, begun: 1 } },
      )
      .lean();
    if (!seen) leave('gone');
    else if (seen.stopRequested) leave('stopped');
    isRetry ??= (seen?.statusBefore ?? null) !== null;
    if (!seen?.statusBefore || seen.begun || !begun) return;
    // The answer before is gone now: it is found and rated no more.
    await changeRecord(records, { ...mine }, () => ({ feedback: null, answeredSince: null }));
  }

  const saver = saveNowAndThen(
    save,
    () => answerLog.length + answerLog.thoughtLength,
    (cause) =>
      log.warn({ recordId: recordId.toHexString(), err: cause }, 'a growing answer could not be saved'),
  );

  const giveUp = new AbortController();

  async function finish(outcome: AnswerOutcome): Promise<AnswerOutcome> {
    await saver.stop();
    // A stop and a break-off both end the pieces quietly: which of them it was decides the status.
    const final = ending === null || outcome.failure ? outcome : { ...outcome, ...endingOf(ending) };
    return finishAnswer({ records, mine, startedAt, log, giveUp: giveUp.signal }, final);
  }

  const outcome = readPieces(begin, answerLog, abort.signal).catch((cause: unknown) =>
    failed(cause, answerLog, log),
  );
  const finished = outcome.then(finish);

  async function end(): Promise<void> {
    let kept: AnswerOutcome = { ...(await outcome), status: 'failed', failure: unavailable() };
    const saved = finished.then((outcome) => {
      kept = outcome;
    });
    await within(saveWithinMs, saved);
    // A retry that never began shows the answer before it again, to those who read it as well.
    if (answerLog.length === 0) answerLog.append(kept.answer);
    answerLog.end(kept);
  }

  const ended = end();
  return {
    log: answerLog,
    stop: () => leave('stopped'),
    breakOff: () => leave('broken off'),
    giveUp: () => giveUp.abort(),
    ended,
    saved: Promise.all([ended, finished]).then(() => undefined),
  };
}

function endingOf(ending: Ending): Pick<AnswerOutcome, 'status' | 'failure'> {
  return ending === 'broken off' ? { status: 'failed', failure: modelFailed() } : { status: 'stopped' };
}

function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return isOutage(cause) ? unavailable() : internal();
}

function failed(cause: unknown, answerLog: AnswerLog, log: Logger): AnswerOutcome {
  const failure = toApiError(cause);
  if (!(cause instanceof ApiError)) log.error({ err: cause }, 'the answerer failed');
  return { ...saidSoFar(answerLog, 'failed'), failure };
}
