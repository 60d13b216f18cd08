import { foldText } from '../answers/fold.ts';
import { type Run, runsOf, termsOfRun } from '../answers/terms.ts';
import type { Highlight } from '../contract.ts';

/** The parts of a record that are searched. */
export interface SearchedText {
  question: string;
  answer: string;
}

/** The words that somebody searches for. A pure reading of what was written. */
export interface SearchWords {
  /** Terms that a record must have (see `recordTerms`), each once: what the index is asked for. */
  terms: string[];
  /** Whether a record that has the terms may still not match, so that `matches` has to be asked. */
  isLoose: boolean;
  /** The same for words that are written in another way. */
  key: string;
  /** Whether every word occurs in the question or the answer. */
  matches(record: SearchedText): boolean;
  /** Where the words stand: in order, without overlaps. */
  highlights(record: SearchedText): Highlight[];
}

/** UTF-16 units of a text as it was given. */
interface Span {
  start: number;
  end: number;
}

/** One thing to look for: what the index knows of it, and where it stands in a text. */
interface Needle {
  key: string;
  terms: string[];
  isLoose: boolean;
  find(text: ReadText): Span[];
}

/** A text made ready to be searched. */
interface ReadText {
  folded: ReturnType<typeof foldText>;
  runs: Run[];
}

/** The index is asked for that many terms at most; the others are held against the text. */
const mostTerms = 24;

const quoted = /"([^"]*)"|＂([^＂]*)＂|“([^”]*)”|「([^」]*)」|『([^』]*)』/gu;

/**
 * Reads a query: words in any language, all of which must occur, and phrases in quotation marks, which must occur just so. A run of
 * Chinese is looked for as it stands, a Latin word by its stem, a number by its digits; a phrase after folding (width, case, traditional
 * is simplified, any white space is one space) and on whole words. A quotation mark without its other half is punctuation.
 *
 * @returns null for a text without a letter or a digit.
 */
export function readWords(query: string): SearchWords | null {
  const phrases = Array.from(
    query.matchAll(quoted),
    ([, ...inside]) => inside.find((text) => text !== undefined) ?? '',
  );
  const words = runsOf(query.replace(quoted, ' '));
  const all = [
    ...words.map(wordNeedle),
    ...phrases.map((text) => phraseNeedle(text)).filter((needle) => needle !== null),
  ];
  const needles = [...new Map(all.map((needle) => [needle.key, needle])).values()];
  const known = [...new Set(needles.flatMap(({ terms }) => terms))];
  if (known.length === 0) return null;
  const terms = known.slice(0, mostTerms);

  return {
    terms,
    isLoose: terms.length < known.length || needles.some(({ isLoose }) => isLoose),
    key: JSON.stringify(needles.map(({ key }) => key).sort()),
    matches(record) {
      const texts = [readText(record.question), readText(record.answer)];
      return needles.every((needle) => texts.some((text) => needle.find(text).length > 0));
    },
    highlights({ question, answer }) {
      return [
        ...spansIn(question, needles).map((span) => ({ field: 'question' as const, ...span })),
        ...spansIn(answer, needles).map((span) => ({ field: 'answer' as const, ...span })),
      ];
    },
  };
}

function readText(text: string): ReadText {
  const folded = foldText(text);
  return { folded, runs: runsOf(text, folded) };
}

function spansIn(text: string, needles: readonly Needle[]): Span[] {
  const read = readText(text);
  const spans = needles
    .flatMap((needle) => needle.find(read))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const apart: Span[] = [];
  for (const { start, end } of spans) {
    const last = apart.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return apart;
}

function wordNeedle(run: Run): Needle {
  const found = termsOfRun(run);
  if (run.script !== 'cjk') {
    const term = found[0]!.term;
    return {
      key: `w ${term}`,
      terms: [term],
      isLoose: false,
      find: ({ runs }) =>
        runs.filter(
          ({ script, ...other }) => script !== 'cjk' && termsOfRun({ script, ...other })[0]!.term === term,
        ),
    };
  }
  const pairs = found.filter(({ kind }) => kind === 'pair');
  return {
    key: `c ${run.text}`,
    terms: (pairs.length > 0 ? pairs : found).map(({ term }) => term),
    isLoose: pairs.length > 1,
    find: ({ folded }) => occurrences(folded, new RegExp(escaped(run.text), 'g')),
  };
}

/** null for one with nothing in it. */
function phraseNeedle(written: string): Needle | null {
  const { text } = foldText(written);
  const parts = text.split(/\s+/u).filter((part) => part !== '');
  if (parts.length === 0) return null;
  const runs = runsOf(written);
  // A word that the phrase cuts off at neither end is in the index by the same term; all of them are whole here.
  const terms = runs.flatMap((run) => {
    const found = termsOfRun(run);
    const pairs = found.filter(({ kind }) => kind === 'pair');
    return (pairs.length > 0 ? pairs : found).map(({ term }) => term);
  });
  const pattern = new RegExp(parts.map(escaped).join(String.raw`\s+`), 'g');
  return {
    key: `p ${parts.join(' ')}`,
    terms,
    isLoose: true,
    find: (read) =>
      occurrences(
        read.folded,
        pattern,
        ({ from, to }) => !isWithin(read.runs, from) && !isWithin(read.runs, to),
      ),
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function occurrences(
  { text, starts, ends }: ReadText['folded'],
  pattern: RegExp,
  isWanted: (place: { from: number; to: number }) => boolean = () => true,
): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = found.index;
    const to = from + found[0].length;
    if (isWanted({ from, to })) spans.push({ start: starts[from]!, end: ends[to - 1]! });
    // Occurrences may overlap: one that is refused must not hide the next, and all of them are shown.
    pattern.lastIndex = from + 1;
  }
  return spans;
}

/** Whether unit `at` of the folded text has letters or digits of one word on both sides. */
function isWithin(runs: readonly Run[], at: number): boolean {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { from, text } = runs[middle]!;
    if (from + text.length <= at) low = middle + 1;
    else high = middle;
  }
  const run = runs[low];
  return run !== undefined && run.script !== 'cjk' && run.from < at && at < run.from + run.text.length;
}
