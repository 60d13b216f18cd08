export interface CitationGate {
  /** What may be shown now of all that came. */
  take(text: string): string;
  /** What was still held at the end. */
  rest(): string;
}

/** `[1]`, `[1, 2]`, `【1】`, perhaps not all of it yet; with the spaces before it. */
const mark =
  /[ \t]*(?:\[[ \t]*\d{1,3}(?:[ \t]*[,，、][ \t]*\d{1,3})*[ \t]*\]|【[ \t]*\d{1,3}(?:[ \t]*[,，、][ \t]*\d{1,3})*[ \t]*】)/g;
const begun = /[ \t]*(?:[[【][\d \t,，、]{0,40})?$/;
const ticks = /(`+)/;

/**
 * Lets a model's text through and holds every citation back until it is whole. `resolve` is asked for each number in order with
 * the text shown so far, and gives the number to show, or null for one that stands for nothing: that one is left out. Code is
 * let through as it is: `argv[1]` cites nobody.
 */
export function createCitationGate(resolve: (number: number, shown: string) => number | null): CitationGate {
  let shown = '';
  let held = '';
  /** The run of backticks that opened the code we are in, else ''. */
  let code = '';

  function release(text: string): string {
    let out = '';
    for (const part of text.split(ticks)) {
      if (part.startsWith('`')) {
        if (code === '') code = part;
        else if (code === part) code = '';
        out += part;
      } else out += code === '' ? renumber(part, shown + out) : part;
    }
    shown += out;
    return out;
  }

  function renumber(text: string, before: string): string {
    return text.replace(mark, (found, at: number) => {
      const space = /^[ \t]*/.exec(found)![0];
      const numbers = found.match(/\d+/g)!.map(Number);
      const kept = numbers.flatMap((number) => resolve(number, before + text.slice(0, at)) ?? []);
      return kept.length === 0 ? '' : space + [...new Set(kept)].map((number) => `[${number}]`).join('');
    });
  }

  return {
    take(text) {
      held += text;
      const cut = Math.min(begun.exec(held)!.index, held.length - /`*$/.exec(held)![0].length);
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      return release(ready);
    },
    rest() {
      const text = held;
      held = '';
      // A mark that never closed was none.
      return release(text);
    },
  };
}
