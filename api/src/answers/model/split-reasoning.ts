/** A text's part that was thought, and its part that is said. */
export interface SplitText {
  said: string;
  thought: string;
}

export interface ReasoningSplitter {
  take(text: string): SplitText;
  /** What was still held at the end; the whole text where the end of a thought was waited for that never came. */
  rest(): SplitText;
  /** The text so far began with a thought that nothing opened, but `</think>` closed. */
  readonly isUnopened: boolean;
}

const marks = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
] as const;

/** As templates of some models have it, which write `<think>` themselves. What quotes the mark seldom ends its line with it. */
const unopenedEnd = /<\/think>[ \t]*\n/;

/**
 * Tells what stands between `<think>` and `</think>` (or marks of other models) from the answer, also where the marks come in pieces. Only at the
 * beginning of an answer: what looks like the mark later on is the answer's own.
 *
 * @param expectsUnopened The model's thoughts are known to begin without a mark.
 */
export function createReasoningSplitter(expectsUnopened = false): ReasoningSplitter {
  let state: 'before' | 'inside' | 'closed' | 'after' = 'before';
  let held = '';
  let close = '';
  let isUnopened = false;
  /** What was taken for a thought, until its end shows that it was one; null where a mark opened it. */
  let assumed: string[] | null = null;
  /** The end of what was said, null where there is nothing to look for. */
  let lately: string | null = '';

  function take(text: string): SplitText {
    if (state === 'after') return { said: watched(text), thought: '' };
    held += text;
    if (state === 'before') lookForStart();
    const thought = state === 'inside' ? takeThought() : '';
    // The lines after the reasoning are often empty: the answer begins with its first word.
    if (state === 'closed') held = held.trimStart();
    if (state === 'closed' && held !== '') state = 'after';
    return { said: state === 'after' ? watched(takeHeld()) : '', thought };
  }

  function watched(text: string): string {
    if (lately === null) return text;
    lately = (lately + text).slice(-text.length - 40);
    isUnopened ||= unopenedEnd.test(lately);
    if (isUnopened || lately.includes('<think>')) lately = null;
    return text;
  }

  function lookForStart(): void {
    const begun = held.trimStart();
    const found = marks.find(([open]) => begun.startsWith(open));
    if (found) {
      state = 'inside';
      close = found[1];
      held = begun.slice(found[0].length);
      lately = null;
    } else if (!marks.some(([open]) => open.startsWith(begun))) {
      // A whole text shows at once what it is.
      const isThought = expectsUnopened || (unopenedEnd.test(begun) && !begun.includes('<think>'));
      state = isThought ? 'inside' : 'after';
      if (isThought) [close, assumed, lately] = ['</think>', [], null];
    }
  }

  function takeThought(): string {
    const end = held.indexOf(close);
    if (end >= 0) state = 'closed';
    isUnopened ||= end >= 0 && assumed !== null;
    // The last units may be the beginning of the mark.
    const upTo = end >= 0 ? end : Math.max(0, held.length - close.length + 1);
    const thought = held.slice(0, upTo);
    held = held.slice(end >= 0 ? end + close.length : upTo);
    assumed?.push(thought);
    return thought;
  }

  function takeHeld(): string {
    const text = held;
    held = '';
    return text;
  }

  return {
    take,
    rest() {
      if (state !== 'inside') return { said: takeHeld(), thought: '' };
      if (assumed) return { said: assumed.join('') + takeHeld(), thought: '' };
      return { said: '', thought: takeHeld() };
    },
    get isUnopened() {
      return isUnopened;
    },
  };
}
