import type { TextGate } from '../../text/text-gate.ts';
import { beginningOfMark, mark, numbersOf } from './citation-mark.ts';

/** Maximum length of inline code that is held back until its closing backtick, in UTF-16 units. */
const maxInlineCode = 400;
/** Length of the text before a citation that `resolve` gets, in UTF-16 units. */
const contextUnits = 400;

/**
 * Passes a model's text through, and rewrites its citations in any notation as `[n]`, for which it holds them
 * back until they are complete. Code is passed through unchanged: `argv[1]` is no citation.
 *
 * @param resolve called for each cited number in order, with the end of the text shown so far. Returns the
 *   number to show, or null to leave it out.
 */
export function createCitationGate(resolve: (number: number, shown: string) => number | null): TextGate {
  let shown = '';
  let held = '';
  /** The opening fence of the current code block, else ''. */
  let fence = '';
  let isAfterMark = false;

  function show(text: string): string {
    shown = (shown + text.slice(-contextUnits)).slice(-contextUnits);
    return text;
  }

  /** Returns the beginning of `held` that can be shown. */
  function release(isLast: boolean): string {
    let out = '';
    while (held !== '') {
      const part = fence === '' ? nextPart(held, isLast) : codeUntil(fence, held, isLast);
      if (part.length === 0) break;
      const text = held.slice(0, part.length);
      held = held.slice(part.length);
      out += part.kind === 'text' ? renumber(text) : showApart(text);
      if (part.fence !== undefined) fence = part.fence;
    }
    return out;
  }

  /** Adds a space after a citation if `[1](…)`, `[1][…]` or `[1]: …` would be a link in Markdown. */
  function showApart(text: string): string {
    if (text === '') return '';
    const apart = isAfterMark && /^[[(:]/.test(text) ? ' ' : '';
    isAfterMark = false;
    return show(apart + text);
  }

  function renumber(text: string): string {
    let out = '';
    let last = 0;
    for (const found of text.matchAll(mark)) {
      out += showApart(text.slice(last, found.index));
      last = found.index + found[0].length;
      const shownNumbers = new Set(numbersOf(found[0]).flatMap((number) => resolve(number, shown) ?? []));
      if (shownNumbers.size === 0) continue;
      const marks = [...shownNumbers].map((number) => `[${number}]`).join('');
      out += show(/^[ \t]*/.exec(found[0])![0] + marks);
      isAfterMark = true;
    }
    return out + showApart(text.slice(last));
  }

  return {
    take(text) {
      held += text;
      return release(false);
    },
    rest: () => release(true),
  };
}

interface Part {
  kind: 'text' | 'code';
  /** Length in UTF-16 units; 0 if more input is needed. */
  length: number;
  /** The open fence after this part, '' for none; missing if unchanged. */
  fence?: string;
}

/** The text up to the next code, inline code, or the opening of a code block. */
function nextPart(held: string, isLast: boolean): Part {
  const ticks = /`+/.exec(held);
  if (ticks === null) return { kind: 'text', length: isLast ? held.length : beginningOfMark(held) };
  // A citation before a backtick is complete.
  if (ticks.index > 0) return { kind: 'text', length: ticks.index };
  const run = ticks[0];
  if (run.length === held.length && !isLast) return { kind: 'text', length: 0 };
  if (run.length > 2) return { kind: 'code', length: run.length, fence: run };
  const end = closing(run, held, isLast);
  if (end > 0) return { kind: 'code', length: end };
  const paragraph = held.search(/\n[ \t]*\n/);
  const isOpen = paragraph < 0 && held.length <= maxInlineCode && !isLast;
  // An unclosed backtick is an ordinary character.
  return { kind: 'code', length: isOpen ? 0 : run.length };
}

/** End of the closing run of as many backticks; 0 if there is none yet. */
function closing(run: string, held: string, isLast: boolean): number {
  for (const found of held.slice(run.length).matchAll(/`+/g)) {
    const end = run.length + found.index + found[0].length;
    // At the end of the input, more backticks may follow.
    if (found[0].length === run.length && (end < held.length || isLast)) return end;
  }
  return 0;
}

/** The code up to and including a closing fence. */
function codeUntil(fence: string, held: string, isLast: boolean): Part {
  for (const found of held.matchAll(/`+/g)) {
    const end = found.index + found[0].length;
    if (end === held.length && !isLast) return { kind: 'code', length: found.index };
    if (found[0].length >= fence.length) return { kind: 'code', length: end, fence: '' };
  }
  return { kind: 'code', length: held.length };
}
