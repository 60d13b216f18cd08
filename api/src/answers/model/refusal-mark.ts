import type { TextGate } from '../../text/text-gate.ts';

/** Models are told to begin with this if the passages do not answer the question. Never shown. */
export const refusalMark = 'NOT_IN_PASSAGES';

/** Removes `refusalMark` from a text, with brackets, emphasis and punctuation around it. */
export function createRefusalGate() {
  let held = '';
  let hasRefused = false;
  /** Whether punctuation that follows belongs to the mark. */
  let isAfterMark = false;

  function release(isLast: boolean): string {
    let out = '';
    for (let found = mark.exec(held); found; found = mark.exec(held)) {
      out += afterMark(held.slice(0, found.index));
      held = held.slice(found.index + found[0].length);
      hasRefused = true;
      isAfterMark = true;
    }
    const sure = isLast ? held.length : beginningOfMark(held);
    out += afterMark(held.slice(0, sure));
    held = held.slice(sure);
    return out;
  }

  function afterMark(text: string): string {
    if (!isAfterMark) return text;
    const rest = text.replace(/^[*_`\])】:：.。,，\s]+/, '');
    if (rest !== '') isAfterMark = false;
    return rest;
  }

  return {
    take(text: string) {
      held += text;
      return release(false);
    },
    rest: () => release(true),
    /** Whether the model said that the passages do not answer. */
    get hasRefused() {
      return hasRefused;
    },
  } satisfies TextGate & { hasRefused: boolean };
}

const mark = new RegExp(`[*\`[(【]{0,4}${refusalMark}`);

/** Start of a mark at the end of `text` that may be incomplete; the length without one. */
function beginningOfMark(text: string): number {
  for (let at = Math.max(0, text.length - refusalMark.length - 3); at < text.length; at += 1)
    if (refusalMark.startsWith(text.slice(at).replace(/^[*`[(【]{1,4}/, ''))) return at;
  return text.length;
}
