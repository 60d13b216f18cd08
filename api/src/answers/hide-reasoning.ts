export interface ReasoningFilter {
  take(text: string): string;
  rest(): string;
}

/**
 * Leaves out what stands between `<think>` and `</think>`, also where the marks come in pieces. Only at the beginning of an
 * answer: what looks like the mark later on is the answer's own.
 */
export function createReasoningFilter(): ReasoningFilter {
  let state: 'before' | 'inside' | 'after' = 'before';
  let held = '';
  const open = '<think>';
  const close = '</think>';

  function take(text: string): string {
    if (state === 'after') return text;
    held += text;
    if (state === 'before') {
      const begun = held.trimStart();
      if (begun.startsWith(open)) {
        state = 'inside';
        held = begun.slice(open.length);
      } else if (open.startsWith(begun)) return '';
      else return release(held);
    }
    const end = held.indexOf(close);
    if (end < 0) {
      held = held.slice(-(close.length - 1));
      return '';
    }
    return release(held.slice(end + close.length).trimStart());
  }

  function release(text: string): string {
    // The line after the reasoning is often empty: wait for the first word.
    if (text === '') {
      held = '';
      return '';
    }
    state = 'after';
    held = '';
    return text;
  }

  return { take, rest: () => (state === 'before' ? release(held) : '') };
}
