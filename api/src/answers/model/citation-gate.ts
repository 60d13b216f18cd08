import type { TextGate } from '../../text/text-gate.ts';
import { beginningOfMark, mark, numbersOf } from './citation-mark.ts';

/** So much of a line of code is held back until its closing backtick; what has none by then is no code. In units. */
const longestInlineCode = 400;
/** The text before a mark that it may lean on, in units. */
const contextUnits = 400;

/**
 * Lets a model's text through and holds every citation back until it is whole. `resolve` is asked for each number in order with
 * the end of the text shown so far, and gives the number to show, or null for one that stands for nothing: that one is left out. However it
 * was written, it is shown as `[n]`. Code is let through as it is: `argv[1]` cites nobody.
 */
export function createCitationGate(resolve: (number: number, shown: string) => number | null): TextGate {
  let shown = '';
  let held = '';
  /** The backticks that opened the block of code we are in, else ''. */
  let fence = '';
  let isBehindMark = false;

  function show(text: string): string {
    shown = (shown + text.slice(-contextUnits)).slice(-contextUnits);
    return text;
  }

  /** Takes what is sure from the beginning of `held`. */
  function release(isLast: boolean): string {
    let out = '';
    while (held !== '') {
      const part = fence === '' ? nextPart(held, isLast) : codeUntil(fence, held, isLast);
      if (part.length === 0) break;
      const text = held.slice(0, part.length);
      held = held.slice(part.length);
      if (part.kind === 'text') out += renumber(text);
      else out += showApart(text);
      if (part.fence !== undefined) fence = part.fence;
    }
    return out;
  }

  /** `[1](…)` and `[1][…]` would lead elsewhere, `[1]: https://…` would make every [1] lead there. */
  function showApart(text: string): string {
    if (text === '') return '';
    const apart = isBehindMark && /^[[(:]/.test(text) ? ' ' : '';
    isBehindMark = false;
    return show(apart + text);
  }

  function renumber(text: string): string {
    let out = '';
    let last = 0;
    for (const found of text.matchAll(mark)) {
      out += showApart(text.slice(last, found.index));
      last = found.index + found[0].length;
      const kept = new Set(numbersOf(found[0]).flatMap((number) => resolve(number, shown) ?? []));
      if (kept.size === 0) continue;
      const marks = [...kept].map((number) => `[${number}]`).join('');
      out += show(/^[ \t]*/.exec(found[0])![0] + marks);
      isBehindMark = true;
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
  /** Units from the beginning; 0: more has to come first. */
  length: number;
  /** The fence that is open from here on, '' for none; missing: as before. */
  fence?: string;
}

/** The text up to the next code, a code between backticks, or the opening of a block. */
function nextPart(held: string, isLast: boolean): Part {
  const ticks = /`+/.exec(held);
  if (ticks === null) return { kind: 'text', length: isLast ? held.length : beginningOfMark(held) };
  // Whatever is before a backtick is whole.
  if (ticks.index > 0) return { kind: 'text', length: ticks.index };
  const run = ticks[0];
  if (run.length === held.length && !isLast) return { kind: 'text', length: 0 };
  if (run.length > 2) return { kind: 'code', length: run.length, fence: run };
  const end = closing(run, held, isLast);
  if (end > 0) return { kind: 'code', length: end };
  const paragraph = held.search(/\n[ \t]*\n/);
  const isOpen = paragraph < 0 && held.length <= longestInlineCode && !isLast;
  // A backtick that nothing closes is a character like any other.
  return { kind: 'code', length: isOpen ? 0 : run.length };
}

/** Behind the run of as many backticks that closes it; 0 where there is none yet, or more of it may come. */
function closing(run: string, held: string, isLast: boolean): number {
  for (const found of held.slice(run.length).matchAll(/`+/g)) {
    const end = run.length + found.index + found[0].length;
    // At the very end more backticks may come, which would make it another run.
    if (found[0].length === run.length && (end < held.length || isLast)) return end;
  }
  return 0;
}

function codeUntil(fence: string, held: string, isLast: boolean): Part {
  for (const found of held.matchAll(/`+/g)) {
    const end = found.index + found[0].length;
    if (end === held.length && !isLast) return { kind: 'code', length: found.index };
    if (found[0].length >= fence.length) return { kind: 'code', length: end, fence: '' };
  }
  return { kind: 'code', length: held.length };
}
