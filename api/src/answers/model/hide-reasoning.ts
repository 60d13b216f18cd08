export interface ReasoningFilter {
  take(text: string): string;
  rest(): string;
}

/**
 * Leaves out what stands between `<think>` and `</think>`, also where the marks come in pieces. Only at the beginning of an
 * answer: what looks like the mark later on is the answer's own.
 */
const open = '<think>';
const close = '</think>';

export function createReasoningFilter(): ReasoningFilter {
  let state: 'before' | 'inside' | 'closed' | 'after' = 'before';
  let held = '';

  function take(text: string): string {
    if (state === 'after') return text;
    held += text;
    if (state === 'before') lookForStart();
    if (state === 'inside') lookForEnd();
    // The lines after the reasoning are often empty: the answer begins with its first word.
    if (state === 'closed') held = held.trimStart();
    if (state === 'closed' && held !== '') state = 'after';
    return state === 'after' ? rest() : '';
  }

  function lookForStart(): void {
    const begun = held.trimStart();
    if (begun.startsWith(open)) {
      state = 'inside';
      held = begun.slice(open.length);
    } else if (!open.startsWith(begun)) state = 'after';
  }

  function lookForEnd(): void {
    const end = held.indexOf(close);
    if (end >= 0) state = 'closed';
    held = held.slice(end >= 0 ? end + close.length : 1 - close.length);
  }

  function rest(): string {
    const text = state === 'inside' ? '' : held;
    held = '';
    return text;
  }

  return { take, rest };
}
