import type { Highlight } from '../../contract/search.ts';
import { type FoldedText, fold, foldText } from '../../text/fold.ts';
import { type Run, runsOf, termsOfRun } from '../../text/terms.ts';

interface SearchedRecord {
  question: string;
  answer: string;
}

export interface SearchWords {
  /** Distinct terms that a record must have (see `recordTerms`): the index query. */
  terms: string[];
  /** Whether a record that has the terms may still not match, so that `matches` must be called. */
  isLoose: boolean;
  /** Equal for different spellings of the same query. */
  key: string;
  /** Whether every word occurs in the question or the answer of a record that has the terms. */
  matches(record: SearchedRecord): boolean;
  /** Positions of the words: in order, without overlaps. */
  highlights(record: SearchedRecord): Highlight[];
}

/** Maximum number of terms in an index query; the others are compared with the text. */
const maxTerms = 24;

const quoted = /"([^"]*)"|＂([^＂]*)＂|“([^”]*)”|「([^」]*)」|『([^』]*)』/gu;

/**
 * Parses a query: words in any language, all of which must occur, and phrases in quotation marks, which must
 * occur literally. A run of Chinese is searched literally, a Latin word by its stem, a number by its digits;
 * a phrase after folding (width, case, traditional to simplified, any white space as one space) and at word
 * boundaries. An unpaired quotation mark is treated as punctuation.
 * @returns null for a text without letters or digits.
 */
export function readWords(query: string): SearchWords | null {
  const needles = needlesOf(query);
  const known = [...new Set(needles.flatMap(({ terms }) => terms))];
  if (known.length === 0) return null;
  const terms = known.slice(0, maxTerms);
  const unsure = terms.length < known.length ? needles : needles.filter(({ isLoose }) => isLoose);

  return {
    terms,
    isLoose: unsure.length > 0,
    key: JSON.stringify(needles.map(({ key }) => key).sort()),
    matches({ question, answer }) {
      const texts = [searchedText(question), searchedText(answer)];
      return unsure.every((needle) => texts.some((text) => needle.isIn(text)));
    },
    highlights: (record) =>
      (['question', 'answer'] as const).flatMap((field) =>
        spansIn(record[field], needles).map((span) => ({ field, ...span })),
      ),
  };
}

/** Without duplicates. */
function needlesOf(query: string): Needle[] {
  const phrases = Array.from(
    query.matchAll(quoted),
    ([, ...inside]) => inside.find((text) => text !== undefined)!,
  );
  const words = runsOf(query.replace(quoted, ' ')).map(wordNeedle);
  const all = [...words, ...phrases.flatMap((text) => phraseNeedle(text) ?? [])];
  return [...new Map(all.map((needle) => [needle.key, needle])).values()];
}

function spansIn(text: string, needles: readonly Needle[]): Span[] {
  const searched = searchedText(text);
  const spans = needles
    .flatMap((needle) => needle.find(searched))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const apart: Span[] = [];
  for (const { start, end } of spans) {
    const last = apart.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else apart.push({ start, end });
  }
  return apart;
}

/** In UTF-16 units of the original text. */
interface Span {
  start: number;
  end: number;
}

/** One thing to search for: its index terms, and how to locate it in a text. */
interface Needle {
  /** Equal for different spellings of the same search. */
  key: string;
  /** The terms of every text that contains it. */
  terms: string[];
  /** Whether a text that has the terms may still not contain it. */
  isLoose: boolean;
  isIn(text: SearchedText): boolean;
  /** In order; may overlap. */
  find(text: SearchedText): Span[];
}

/** A text whose derived forms are computed lazily: folding alone costs a fraction of the rest. */
interface SearchedText {
  folded(): string;
  read(): { folded: FoldedText; runs: Run[] };
}

function searchedText(text: string): SearchedText {
  let folded: string | undefined;
  let read: ReturnType<SearchedText['read']> | undefined;
  return {
    folded() {
      folded ??= fold(text);
      return folded;
    },
    read() {
      if (!read) {
        const whole = foldText(text);
        read = { folded: whole, runs: runsOf(text, whole) };
      }
      return read;
    },
  };
}

/** A run of Chinese is searched literally, a Latin word by its stem, a number by its digits. */
function wordNeedle(run: Run): Needle {
  return run.script === 'cjk' ? chineseNeedle(run) : latinNeedle(run);
}

function chineseNeedle({ text, ...run }: Run): Needle {
  const terms = indexedTerms({ text, ...run });
  return {
    key: `c ${text}`,
    terms,
    isLoose: terms.length > 1,
    isIn: (searched) => searched.folded().includes(text),
    find: (searched) => occurrences(searched.read().folded, new RegExp(escaped(text), 'g')),
  };
}

function latinNeedle(run: Run): Needle {
  const [term] = indexedTerms(run);
  const find = (searched: SearchedText) =>
    searched
      .read()
      .runs.filter((other) => other.script === run.script && indexedTerms(other)[0] === term)
      .map(({ start, end }) => ({ start, end }));
  return {
    key: `w ${term}`,
    terms: [term!],
    isLoose: false,
    isIn: (searched) => find(searched).length > 0,
    find,
  };
}

/** Literally, folded, any white space as one, at word boundaries. null: it has no words. */
function phraseNeedle(written: string): Needle | null {
  const parts = fold(written)
    .split(/\s+/)
    .filter((part) => part !== '');
  if (parts.length === 0) return null;
  const runs = runsOf(written);
  const [first, ...others] = runs;
  // A run of Chinese is searched in the same way as without quotation marks, which can use only the index if
  // it is short.
  if (first?.script === 'cjk' && others.length === 0 && first.text === parts.join(' '))
    return wordNeedle(first);
  const pattern = parts.map(escaped).join(String.raw`\s+`);
  const once = new RegExp(pattern);
  const all = new RegExp(pattern, 'g');
  const find = (searched: SearchedText) => {
    const { folded, runs: theirs } = searched.read();
    return occurrences(folded, all, ({ from, to }) => !isWithin(theirs, from) && !isWithin(theirs, to));
  };
  return {
    key: `p ${parts.join(' ')}`,
    // Its words are whole words of the text too, so they have the same terms.
    terms: runs.flatMap(indexedTerms),
    isLoose: true,
    isIn: (searched) => once.test(searched.folded()) && find(searched).length > 0,
    find,
  };
}

/** For Chinese the pairs, which are more selective than single characters. */
function indexedTerms(run: Run): string[] {
  const terms = termsOfRun(run);
  const pairs = terms.filter(({ kind }) => kind === 'pair');
  return (pairs.length > 0 ? pairs : terms).map(({ term }) => term);
}

function occurrences(
  { text, starts, ends }: FoldedText,
  pattern: RegExp,
  isWanted: (place: { from: number; to: number }) => boolean = () => true,
): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const from = found.index;
    const to = from + found[0].length;
    if (isWanted({ from, to })) spans.push({ start: starts[from]!, end: ends[to - 1]! });
    // Matches may overlap: a rejected one must not hide the next.
    pattern.lastIndex = from + 1;
  }
  return spans;
}

/** Whether unit `at` of the folded text is inside a word or a number. */
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
  return run !== undefined && run.script !== 'cjk' && run.from < at;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
