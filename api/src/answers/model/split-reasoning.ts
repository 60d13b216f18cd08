/** A text's part that was thought, and its part that is said. */
export interface SplitText {
  said: string;
  thought: string;
}

export interface ReasoningSplitter {
  take(text: string): SplitText;
  rest(): SplitText;
}

const marks = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
] as const;

/**
 * Tells what stands between `<think>` and `</think>` (or marks of other models) from the answer, also where the marks come in pieces. Only at the
 * beginning of an answer: what looks like the mark later on is the answer's own.
 */
export function createReasoningSplitter(): ReasoningSplitter {
  let state: 'before' | 'inside' | 'closed' | 'after' = 'before';
  let held = '';
  let close = '';

  function take(text: string): SplitText {
    if (state === 'after') return { said: text, thought: '' };
    held += text;
    if (state === 'before') lookForStart();
    const thought = state === 'inside' ? takeThought() : '';
    // The lines after the reasoning are often empty: the answer begins with its first word.
    if (state === 'closed') held = held.trimStart();
    if (state === 'closed' && held !== '') state = 'after';
    return { said: state === 'after' ? takeHeld() : '', thought };
  }

  function lookForStart(): void {
    const begun = held.trimStart();
    const found = marks.find(([open]) => begun.startsWith(open));
    if (found) {
      state = 'inside';
      close = found[1];
      held = begun.slice(found[0].length);
    } else if (!marks.some(([open]) => open.startsWith(begun))) state = 'after';
  }

  function takeThought(): string {
    const end = held.indexOf(close);
    if (end >= 0) state = 'closed';
    // The last units may be the beginning of the mark.
    const upTo = end >= 0 ? end : Math.max(0, held.length - close.length + 1);
    const thought = held.slice(0, upTo);
    held = held.slice(end >= 0 ? end + close.length : upTo);
    return thought;
  }

  function takeHeld(): string {
    const text = held;
    held = '';
    return text;
  }

  return {
    take,
    rest: () => (state === 'inside' ? { said: '', thought: takeHeld() } : { said: takeHeld(), thought: '' }),
  };
}
