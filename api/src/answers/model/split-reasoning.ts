const marks = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
] as const;

/** The end of reasoning if the template contains `<think>`. A quoted mark rarely precedes a line break. */
const unopenedEnd = /<\/think>[ \t]*\n/;

/**
 * Separates reasoning between `<think>` and `</think>`, or the marks of other models, from the answer, even
 * if the marks arrive in pieces. Only at the beginning: later marks are part of the answer.
 *
 * @param expectsUnopened whether this model's reasoning is known to begin without a mark.
 */
export function createReasoningSplitter(expectsUnopened = false) {
  let state: 'before' | 'inside' | 'closed' | 'after' = 'before';
  let held = '';
  let close = '';
  let isUnopened = false;
  /** Text that is assumed to be reasoning until a closing mark confirms it; null after an opening mark. */
  let assumed: string[] | null = null;
  /** The end of the answer so far, to search for a closing mark; null if the search is over. */
  let lately: string | null = '';

  /** Splits the next piece into reasoning and answer. */
  function take(text: string) {
    if (state === 'after') return { said: watched(text), thought: '' };
    held += text;
    if (state === 'before') lookForStart();
    const thought = state === 'inside' ? takeThought() : '';
    // Empty lines after the reasoning are dropped.
    if (state === 'closed') held = held.trimStart();
    if (state === 'closed' && held !== '') state = 'after';
    return { said: state === 'after' ? watched(takeHeld()) : '', thought };
  }

  /** Searches the answer for a closing mark, by which `isUnopened` becomes known. */
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
      // A text that is not streamed contains the closing mark already.
      const isThought = expectsUnopened || (unopenedEnd.test(begun) && !begun.includes('<think>'));
      state = isThought ? 'inside' : 'after';
      if (isThought) [close, assumed, lately] = ['</think>', [], null];
    }
  }

  function takeThought(): string {
    const end = held.indexOf(close);
    if (end >= 0) state = 'closed';
    isUnopened ||= end >= 0 && assumed !== null;
    // The end may be the beginning of the closing mark.
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
    /** The rest. If a closing mark was expected and never came, the complete text is the answer. */
    rest() {
      if (state !== 'inside') return { said: takeHeld(), thought: '' };
      if (assumed) return { said: assumed.join('') + takeHeld(), thought: '' };
      return { said: '', thought: takeHeld() };
    },
    /** Whether the text began with reasoning without an opening mark. */
    get isUnopened() {
      return isUnopened;
    },
  };
}
