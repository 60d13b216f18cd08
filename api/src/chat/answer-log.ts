import { type AnsweredBy, longestReasoning } from '../answers/answerer.ts';
import type { AnswerReason, AnswerSource, Citation, RecordStatus } from '../contract/contract.ts';
import type { ApiError } from '../contract/errors.ts';

/** How an answer ended. `answer` is all that was said. */
export interface AnswerOutcome {
  status: Exclude<RecordStatus, 'answering'>;
  answer: string;
  source: AnswerSource;
  citations: Citation[];
  suggestions: string[];
  /** Name of the model that answered, '' when none did. */
  model: string;
  /** What the model thought aloud. */
  reasoning: string;
  /** Why it is what it is; null where that is not known. */
  why: AnswerReason | null;
  /** Why it broke off, for those who were reading while it did. */
  failure?: ApiError;
}

/**
 * What a reader of an answer gets: text as it comes, then one end. `end` is the number of UTF-16 units up to and with `text`. `reasoning` is no
 * text of the answer: every reader gets all of it, whatever unit it begins behind.
 */
export type AnswerProgress =
  | { kind: 'text'; text: string; end: number }
  | { kind: 'reasoning'; text: string }
  | { kind: 'end'; outcome: AnswerOutcome };

/**
 * An answer that grows while any number of readers follow, each at its own pace. Readers share the one copy and only remember
 * how far they are, so that a slow one costs no memory. Appending and following are O(1) a piece.
 */
export interface AnswerLog {
  readonly length: number;
  /** Units of what was thought, as they are kept. */
  readonly thoughtLength: number;
  readonly outcome: AnswerOutcome | null;
  /** What is cited so far: `[n]` in the text is `citations[n - 1]`. */
  readonly citations: readonly Citation[];
  /** The model that answers; null as long as none has said a word. */
  readonly by: AnsweredBy | null;
  /** `cites` are citations that are new with `text`, `by` is who says it, and what comes after. */
  append(text: string, cites?: readonly Citation[], by?: AnsweredBy): void;
  /** Adds to what the model thinks aloud; what goes beyond `longestReasoning` is left out. */
  think(text: string): void;
  end(outcome: AnswerOutcome): void;
  /** All that was thought so far, as it is kept. O(length), as is `text`. */
  reasoning(): string;
  /** All that was said so far. O(length): not for every piece. */
  text(): string;
  /** Everything behind unit `from`, then the end. Returns early when `signal` aborts. */
  follow(from: number, signal: AbortSignal): AsyncGenerator<AnswerProgress, void, undefined>;
}

/** What a reader that is behind gets in one go, in UTF-16 units, unless a single piece is longer. Bounds what waits in its socket. */
const mostAtOnce = 16_384;

export function createAnswerLog(): AnswerLog {
  const pieces: string[] = [];
  /** Units up to the end of each piece. */
  const ends: number[] = [];
  const thoughts: string[] = [];
  let thoughtLength = 0;
  const waiting = new Set<() => void>();
  const citations: Citation[] = [];
  let by: AnsweredBy | null = null;
  let outcome: AnswerOutcome | null = null;

  const length = () => ends.at(-1) ?? 0;

  function wake(): void {
    const woken = [...waiting];
    waiting.clear();
    for (const resolve of woken) resolve();
  }

  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  return {
    get length() {
      return length();
    },
    get outcome() {
      return outcome;
    },
    get thoughtLength() {
      return thoughtLength;
    },
    citations,
    get by() {
      return by;
    },
    append(text, cites = [], speaker) {
      if (outcome) throw new Error('an answer that has ended cannot grow');
      citations.push(...cites);
      by = speaker ?? by;
      if (text === '') return;
      pieces.push(text);
      ends.push(length() + text.length);
      wake();
    },
    think(text) {
      if (outcome) throw new Error('an answer that has ended cannot grow');
      const kept = text.slice(0, longestReasoning - thoughtLength).toWellFormed();
      if (kept === '') return;
      thoughts.push(kept);
      thoughtLength += kept.length;
      wake();
    },
    end(ending) {
      outcome ??= ending;
      wake();
    },
    text: () => pieces.join(''),
    reasoning: () => thoughts.join(''),
    async *follow(from, signal) {
      let position = from;
      let next = firstBehind(ends, from);
      let thought = 0;
      while (!signal.aborted) {
        if (thought < thoughts.length) {
          const text = thoughts.slice(thought).join('');
          thought = thoughts.length;
          yield { kind: 'reasoning', text };
        } else if (next < pieces.length) {
          let last = next + 1;
          while (last < pieces.length && (ends[last] ?? 0) - position <= mostAtOnce) last += 1;
          const end = ends[last - 1] ?? position;
          const behind = pieces.slice(next, last).join('');
          const text = behind.slice(behind.length - (end - position));
          next = last;
          position = end;
          yield { kind: 'text', text, end };
        } else if (outcome) {
          yield { kind: 'end', outcome };
          return;
        } else {
          await change(signal);
          // A reader that resumed behind what is said so far waits until the answer gets there.
          while (next < ends.length && (ends[next] ?? 0) <= position) next += 1;
        }
      }
    },
  };
}

/** Index of the first piece that reaches behind unit `from`. */
function firstBehind(ends: readonly number[], from: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > from) high = middle;
    else low = middle + 1;
  }
  return low;
}
