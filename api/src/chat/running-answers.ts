import { setTimeout as delay } from 'node:timers/promises';
import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { type AnswerPiece, maxAnswerLength } from '../answers/answerer.ts';
import { judgementOf, withoutJudgement } from '../answers/judgement.ts';
import { ApiError, modelFailed, modelFailureOf, notFound } from '../errors/errors.ts';
import { toApiError } from '../http/error-body.ts';
import { changeRecord } from '../records/change-record.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import { everythingShown, type ShownTo } from '../records/withdrawn-answers.ts';
import { databaseDate } from '../store/database-clock.ts';
import { newLease, type ThisProcess } from '../store/process-lease.ts';
import { isOutage } from '../store/store-failure.ts';
import { within } from '../store/within.ts';
import { createWholeCharacters } from '../text/text-gate.ts';
import { markFailed, type Span, tracer } from '../tracing/span.ts';
import { type AnswerLog, type AnswerOutcome, createAnswerLog, storedOutcome } from './answer-log.ts';

/** Time for saving the end of an answer before its readers get the reason, in ms; saving continues in the background. */
const defaultSaveWithinMs = 3000;
/** Pause between attempts to save the end, in ms. */
const tryAgainAfterMs = 500;
const over = { lease: null, stopRequested: false, statusBefore: null, begun: true };

interface Deps {
  records: RecordModel;
  /** Default: every answer may be shown. */
  shownTo?: ShownTo;
  self: ThisProcess;
  log: Logger;
  saveWithinMs?: number;
  /** Called with each ended answer; times are since its start. */
  onEnd?(outcome: AnswerOutcome, times: { ms: number; firstMs: number | null }): void;
}

export type RunningAnswers = ReturnType<typeof createRunningAnswers>;

/**
 * The answers that this process is producing. Each continues without readers, is saved as it grows, and ends
 * in its record as `done`, `stopped` or `failed`, with its text so far.
 */
export function createRunningAnswers(deps: Deps) {
  const running = new Map<string, RunningAnswer>();
  return {
    /** `begin` calls the answerer; it runs until its pieces end or its signal aborts. `asked` is the record, if it has been read already. */
    start(
      recordId: Types.ObjectId,
      begin: (signal: AbortSignal) => AsyncIterable<AnswerPiece>,
      asked?: RecordDocument,
    ): RunningAnswer {
      const id = recordId.toHexString();
      const run = (span: Span) => runAnswer(deps, recordId, begin, span, asked);
      const answer = tracer().startActiveSpan('answer', run);
      running.set(id, answer);
      void answer.saved.then(() => running.get(id) === answer && running.delete(id));
      return answer;
    },
    get: (recordId: string): RunningAnswer | undefined => running.get(recordId),
    /** Lets answers complete for `ms`, then ends them as `failed`. Unsaved after another `ms`: abandoned. */
    async drain(ms: number): Promise<void> {
      const all = Promise.all([...running.values()].map((answer) => answer.saved));
      const interrupting = setTimeout(() => {
        for (const answer of running.values()) answer.interrupt();
      }, ms);
      const abandoning = setTimeout(() => {
        for (const answer of running.values()) answer.abandon();
      }, 2 * ms);
      await all;
      clearTimeout(interrupting);
      clearTimeout(abandoning);
    },
  };
}

type RunningAnswer = ReturnType<typeof runAnswer>;

type Ending = 'stopped' | 'interrupted' | 'lease lost';

function runAnswer(
  { records, shownTo = everythingShown, self, log, saveWithinMs = defaultSaveWithinMs, onEnd }: Deps,
  recordId: Types.ObjectId,
  begin: (signal: AbortSignal) => AsyncIterable<AnswerPiece>,
  span: Span,
  asked: RecordDocument | undefined,
) {
  const startedAt = databaseDate();
  const startedMs = performance.now();
  const answerLog = createAnswerLog();
  const abort = new AbortController();
  let ending: Ending | null = null;
  const endWith = (why: Ending) => {
    ending ??= why;
    abort.abort();
  };
  const mine = { _id: recordId, 'lease.process': self.process };

  /** Known after the first save. A retry that has not begun keeps the reasoning of the shown answer. */
  let isRetry: boolean | null = null;

  /** Saves the current state; also detects stop requests from other processes and the loss of the lease. */
  async function save(): Promise<void> {
    const begun = answerLog.length > 0;
    const seen = await records
      .findOneAndUpdate(
        mine,
        {
          $set: {
            'lease.until': newLease(self).until,
            ...(begun
              ? {
                  answer: answerLog.text(),
                  begun,
                  answerStartedAt: startedAt,
                  citations: [...answerLog.citations],
                  suggestions: [],
                  source: 'none',
                  ...withoutJudgement,
                  model: answerLog.by?.model ?? '',
                }
              : {}),
            ...(begun || isRetry === false
              ? { reasoning: answerLog.reasoning(), collections: [...answerLog.collections] }
              : {}),
          },
        },
        { projection: { stopRequested: 1, statusBefore: 1, begun: 1 } },
      )
      .lean();
    if (!seen) endWith('lease lost');
    else if (seen.stopRequested) endWith('stopped');
    isRetry ??= (seen?.statusBefore ?? null) !== null;
    if (!seen?.statusBefore || seen.begun || !begun) return;
    // The previous answer is replaced: its rating and later answer are removed.
    await changeRecord(records, { ...mine }, () => ({ feedback: null, answeredSince: null }));
  }

  const saver = savePeriodically(
    save,
    () => answerLog.length + answerLog.reasoningLength,
    (cause) => log.warn({ recordId: recordId.toHexString(), err: cause }, 'saving a growing answer failed'),
  );

  const abandon = new AbortController();
  /** Why the end has not been saved so far. */
  let refusal = new ApiError('unavailable');

  /** Saves the end, again while the store is unavailable. Returns the record's end, with a `failure` if it was lost. */
  async function finish(given: AnswerOutcome): Promise<AnswerOutcome> {
    await saver.stop();
    // A stop and an interruption both end the pieces without an error: the status depends on which one it
    // was.
    const outcome = ending === null || given.failure ? given : { ...given, ...endingOf(ending) };
    for (;;) {
      try {
        return (await writeEnd(outcome)) ?? (await lost(outcome));
      } catch (cause) {
        const mayPass = isOutage(cause) || cause instanceof ApiError;
        refusal = toApiError(cause);
        if (abandon.signal.aborted || !mayPass) {
          log.error({ recordId: recordId.toHexString(), err: cause }, 'saving the end of an answer failed');
          return { ...outcome, status: 'failed', failure: refusal };
        }
        await delay(tryAgainAfterMs, undefined, { signal: abandon.signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Checks whether this end was stored although the store's acknowledgement was lost with the connection.
   * Otherwise the record was deleted, or another process has ended or taken over this answer because the store
   * was unavailable for longer than the lease.
   */
  async function lost(outcome: AnswerOutcome): Promise<AnswerOutcome> {
    const record = await records.findById(recordId, { status: 1, answer: 1 }).lean();
    if (record?.status === outcome.status && record.answer === outcome.answer) return outcome;
    return { ...outcome, status: 'failed', failure: record ? modelFailed() : notFound('record') };
  }

  /** null if this process no longer holds the lease. */
  async function writeEnd(outcome: AnswerOutcome) {
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

  const pieces = readPieces(begin, answerLog, abort.signal);
  const outcome = pieces.catch((cause: unknown) => failed(cause, answerLog, log));
  const finished = outcome.then(finish);

  async function end(): Promise<void> {
    let saved: AnswerOutcome | undefined;
    const saving = finished.then((outcome) => {
      saved = outcome;
    });
    const unsaved = await outcome;
    await within(saveWithinMs, saving);
    const { firstAt } = answerLog;
    const kept: AnswerOutcome = saved ?? { ...unsaved, status: 'failed', failure: refusal };
    // Readers of a retry that never began get the previous answer.
    if (answerLog.length === 0) answerLog.append(kept.answer);
    answerLog.end(kept);
    const { source, model, status } = kept;
    span.setAttributes({ 'desk.source': source, 'desk.model': model, 'desk.status': status });
    if (status === 'failed') markFailed(span);
    const firstMs = firstAt === null ? null : firstAt - startedMs;
    onEnd?.(kept, { ms: performance.now() - startedMs, firstMs });
  }

  const ended = end();
  const saved = Promise.all([ended, finished]).then(() => span.end());
  return {
    log: answerLog,
    /** Stops the answer; its text so far is kept. */
    stop: () => endWith('stopped'),
    /** Ends the answer as `failed`. */
    interrupt: () => endWith('interrupted'),
    /** Ends the attempts to save its end. */
    abandon: () => abandon.abort(),
    /** Resolves when the end is saved, or after 3 s if the store is unavailable; readers then get a failure. */
    ended,
    /** Resolves when the end has been saved, or cannot be. */
    saved,
  };
}

function endingOf(ending: Ending): Pick<AnswerOutcome, 'status' | 'failure'> {
  return ending === 'interrupted' ? { status: 'failed', failure: modelFailed() } : { status: 'stopped' };
}

function failed(cause: unknown, answerLog: AnswerLog, log: Logger): AnswerOutcome {
  const failure = toApiError(cause);
  if (!(cause instanceof ApiError)) log.error({ err: cause }, 'the answerer failed');
  return { ...partialOutcome(answerLog, 'failed'), failure };
}

/** Minimum interval between saves of a growing answer, in ms. */
const saveEveryMs = 250;

/** Maximum interval between saves, in ms: they renew the lease and find stop requests. */
const heartbeatMs = 1000;

/** Calls `save` soon after growth and periodically, never concurrently. */
function savePeriodically(
  save: () => Promise<void>,
  length: () => number,
  onFailure: (cause: unknown) => void,
): { stop(): Promise<void> } {
  let saved = 0;
  let last = performance.now();
  let saving: Promise<void> = Promise.resolve();
  let isSaving = false;
  const timer = setInterval(() => {
    const isDue = length() > saved || performance.now() - last >= heartbeatMs;
    if (isSaving || !isDue) return;
    isSaving = true;
    saved = length();
    last = performance.now();
    saving = save()
      .catch(onFailure)
      .finally(() => {
        isSaving = false;
      });
  }, saveEveryMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return saving;
    },
  };
}

/**
 * Appends an answer's pieces to `log`. Ends immediately when `signal` aborts, even if the answerer ignores
 * it; the outcome is then `stopped`.
 * @throws the errors of the answerer, and `modelFailed` if its pieces end without a final one or never end.
 */
export async function readPieces(
  begin: (signal: AbortSignal) => AsyncIterable<AnswerPiece>,
  log: AnswerLog,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const characters = createWholeCharacters();
  const thoughts = createWholeCharacters();
  let final: AnswerOutcome | null = null;
  let audience: string[] = [];
  for await (const piece of untilAborted(begin(signal), signal)) {
    if (piece.kind === 'text') {
      const text = characters.take(piece.text);
      const room = maxAnswerLength - log.length;
      const fitting = text.length > room ? text.slice(0, room).replace(/[\ud800-\udbff]$/, '') : text;
      log.append(fitting, piece.cites, piece.by);
      if (text.length > room) throw modelFailed('answer_too_long');
    } else if (piece.kind === 'reasoning') {
      log.addReasoning(thoughts.take(piece.text));
    } else if (piece.kind === 'collections') {
      for (const id of piece.ids) log.collections.add(id);
    } else if (piece.kind === 'audience') {
      audience = [...piece.ids];
    } else {
      const { source, citations, suggestions, model = '', why = null } = piece;
      const said = { answer: '', source, ...judgementOf(piece), citations, suggestions, model };
      final = { status: 'done', ...said, reasoning: '', why };
    }
  }
  log.append(characters.rest().slice(0, maxAnswerLength - log.length));
  if (!final && !signal.aborted) throw modelFailed();
  if (!final) return partialOutcome(log, 'stopped');
  const collections = [...log.collections];
  return { ...final, answer: log.text(), reasoning: log.reasoning(), collections, audience };
}

function partialOutcome(log: AnswerLog, status: 'stopped' | 'failed'): AnswerOutcome {
  return {
    status,
    answer: log.text(),
    source: 'none',
    outcome: 'nothing',
    citations: [...log.citations],
    collections: [...log.collections],
    suggestions: [],
    model: log.by?.model ?? '',
    reasoning: log.reasoning(),
    why: log.by?.why ?? null,
  };
}

async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let leave: () => void = () => undefined;
  const onAbort = () => leave();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      // A new promise per piece: racing against one long-lived promise would retain every piece.
      const next = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        leave = () => resolve(null);
        iterator.next().then(resolve, reject);
      });
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a hanging answerer must not delay the end.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
