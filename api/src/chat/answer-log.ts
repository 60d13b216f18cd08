import { EventEmitter, once } from 'node:events';
import { type AnsweredBy, maxReasoningLength } from '../answers/answerer.ts';
import { judgementOf } from '../answers/judgement.ts';
import type { AnswerReason, AnswerSource, Citation, Judgement } from '../contract/answers.ts';
import type { RecordStatus } from '../contract/records.ts';
import type { ApiError } from '../errors/errors.ts';
import type { RecordDocument } from '../records/record.ts';

/** The result of an answer. `answer` is its whole text. */
export interface AnswerOutcome extends Judgement {
  status: Exclude<RecordStatus, 'answering'>;
  answer: string;
  source: AnswerSource;
  citations: Citation[];
  /** As `RecordDocument.collections`. */
  collections?: string[];
  /** As `RecordDocument.audience`. */
  audience?: string[];
  suggestions: string[];
  /** Name of the model that answered, or ''. */
  model: string;
  reasoning: string;
  /** The explanation of the answer; null if unknown. */
  why: AnswerReason | null;
  /** Why it was interrupted, for current readers. */
  failure?: ApiError;
}

/** The outcome of a record's stored answer. */
export function storedOutcome(
  record: RecordDocument,
  { status, failure }: Pick<AnswerOutcome, 'status' | 'failure'>,
): AnswerOutcome {
  // Records of earlier versions have no model and no reasoning.
  const { answer, source, citations, suggestions, model = '', reasoning = '' } = record;
  const said = { answer, source, ...judgementOf(record), citations, suggestions, model, reasoning };
  return { status, ...said, why: null, ...(failure ? { failure } : {}) };
}

/**
 * What a reader receives: text as it arrives, then one end. `end` is the number of UTF-16 units up to and
 * including `text`. `reasoning` is not part of the answer: every reader gets all of it, wherever it starts.
 */
export type AnswerProgress =
  | { kind: 'text'; text: string; end: number }
  | { kind: 'reasoning'; text: string }
  | { kind: 'end'; outcome: AnswerOutcome };

/** UTF-16 units that a slow reader gets at once, if no piece is longer: limits its socket's buffer. */
const maxAtOnce = 16_384;

export type AnswerLog = ReturnType<typeof createAnswerLog>;

/**
 * An answer that grows while any number of readers follow at their own pace. Readers share one copy and only
 * store their position, so slow readers cost no memory. Appending and following are O(1) per piece.
 */
export function createAnswerLog() {
  const pieces: string[] = [];
  /** Position after each piece, in units. */
  const ends: number[] = [];
  const reasoningPieces: string[] = [];
  let reasoningLength = 0;
  const changes = new EventEmitter().setMaxListeners(0);
  /** Citations so far: `[n]` in the text is `citations[n - 1]`. */
  const citations: Citation[] = [];
  const collections = new Set<string>();
  let by: AnsweredBy | null = null;
  let outcome: AnswerOutcome | null = null;
  let firstAt: number | null = null;

  const length = () => ends.at(-1) ?? 0;

  const wake = () => changes.emit('change');

  return {
    get length() {
      return length();
    },
    get outcome() {
      return outcome;
    },
    /** `performance.now()` of the first text or reasoning; null before. */
    get firstAt() {
      return firstAt;
    },
    /** Length of the stored reasoning in units. */
    get reasoningLength() {
      return reasoningLength;
    },
    citations,
    /** The collections that the text may contain knowledge of, besides the first one. */
    collections,
    /** The answering model; null until the first text arrives. */
    get by() {
      return by;
    },
    /** `cites` are new citations in `text`, `by` is the model that produces this and the following text. */
    append(text: string, cites: readonly Citation[] = [], model?: AnsweredBy): void {
      if (outcome) throw new Error('an answer that has ended cannot grow');
      citations.push(...cites);
      by = model ?? by;
      if (text === '') return;
      firstAt ??= performance.now();
      pieces.push(text);
      ends.push(length() + text.length);
      wake();
    },
    /** Appends to the model's reasoning; anything beyond `maxReasoningLength` is dropped. */
    addReasoning(text: string): void {
      if (outcome) throw new Error('an answer that has ended cannot grow');
      const kept = text.slice(0, maxReasoningLength - reasoningLength).toWellFormed();
      if (kept === '') return;
      firstAt ??= performance.now();
      reasoningPieces.push(kept);
      reasoningLength += kept.length;
      wake();
    },
    end(ending: AnswerOutcome): void {
      outcome ??= ending;
      wake();
    },
    /** The text so far. O(length): do not call it for every piece. */
    text: (): string => pieces.join(''),
    /** The stored reasoning so far. O(length), like `text`. */
    reasoning: (): string => reasoningPieces.join(''),
    /** Everything after unit `from`, then the end. Returns early when `signal` aborts. */
    async *follow(from: number, signal: AbortSignal): AsyncGenerator<AnswerProgress, void, undefined> {
      let position = from;
      let next = ends.findLastIndex((end) => end <= from) + 1;
      let readReasoning = 0;
      while (!signal.aborted) {
        if (readReasoning < reasoningPieces.length) {
          const text = reasoningPieces.slice(readReasoning).join('');
          readReasoning = reasoningPieces.length;
          yield { kind: 'reasoning', text };
        } else if (next < pieces.length) {
          let last = next + 1;
          while (last < pieces.length && (ends[last] ?? 0) - position <= maxAtOnce) last += 1;
          const end = ends[last - 1] ?? position;
          const missed = pieces.slice(next, last).join('');
          const text = missed.slice(missed.length - (end - position));
          next = last;
          position = end;
          yield { kind: 'text', text, end };
        } else if (outcome) {
          yield { kind: 'end', outcome };
          return;
        } else {
          await once(changes, 'change', { signal }).catch(() => undefined);
          // A reader that resumed after the current end waits until the answer reaches its position.
          while (next < ends.length && (ends[next] ?? 0) <= position) next += 1;
        }
      }
    },
  };
}
