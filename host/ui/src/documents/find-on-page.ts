/** A run of characters as pdf.js reports it. */
export interface TextRun {
  str: string;
}

/** The units `from`–`to` of the run with this index. */
export interface RunRange {
  index: number;
  from: number;
  to: number;
}

/** Parts of a quote with fewer letters than this are only searched together with their neighbours. */
const SHORTEST = 4;
/** Share of a quote's letters that must be found if only parts of it are found. */
const ENOUGH = 0.6;

/**
 * Where `quote` is on a page with these runs of text; empty if it is not there, as on a scanned page. Only letters and digits are compared, in
 * the compatibility form of Unicode and without case: extracted text has other spaces, hyphens, ligatures, full-width forms and marks of
 * headings and tables. If the quote occurs more than once, the occurrence closest to `expected` is taken, a share of the page's letters.
 * A quote whose lines or cells are in another order on the page is found part by part.
 */
export function findOnPage(runs: readonly TextRun[], quote: string, expected = 0): RunRange[] {
  const page = lettersOfRuns(runs);
  const wanted = lettersOf(quote);
  if (wanted === '') return [];
  const at = closest(page.letters, wanted, expected * page.letters.length);
  if (at >= 0) return rangesOf(page, at, at + wanted.length);
  const parts = quote
    .split(/[\n|。！？；!?;]|\. /)
    .map(lettersOf)
    .filter((part) => part.length >= SHORTEST);
  let near = expected * page.letters.length;
  let found = 0;
  const ranges = parts.flatMap((part) => {
    const start = closest(page.letters, part, near);
    if (start < 0) return [];
    near = start + part.length;
    found += part.length;
    return rangesOf(page, start, near);
  });
  return found >= ENOUGH * wanted.length ? ranges : [];
}

interface PageLetters {
  letters: string;
  /** For every unit of `letters`: the run and the range of units in it. */
  places: RunRange[];
}

function lettersOfRuns(runs: readonly TextRun[]): PageLetters {
  let letters = '';
  const places: RunRange[] = [];
  for (const [index, { str }] of runs.entries()) {
    let from = 0;
    for (const character of str) {
      const to = from + character.length;
      const some = lettersOf(character);
      letters += some;
      for (let count = 0; count < some.length; count += 1) places.push({ index, from, to });
      from = to;
    }
  }
  return { letters, places };
}

/** Number of letters and digits of a text, as they are compared. */
export function countLetters(text: string): number {
  return lettersOf(text).length;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function closest(letters: string, wanted: string, expected: number): number {
  let best = -1;
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + 1)) {
    if (best >= 0 && Math.abs(at - expected) >= Math.abs(best - expected)) break;
    best = at;
  }
  return best;
}

function rangesOf({ places }: PageLetters, start: number, end: number): RunRange[] {
  const ranges: RunRange[] = [];
  for (const place of places.slice(start, end)) {
    const last = ranges.at(-1);
    if (last?.index === place.index) last.to = place.to;
    else ranges.push({ ...place });
  }
  return ranges;
}
