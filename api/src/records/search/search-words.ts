import type { Highlight } from '../../contract/contract.ts';
import { runsOf } from '../../text/terms.ts';
import { type Needle, phraseNeedle, type Span, searchedText, wordNeedle } from './search-needles.ts';

/** The parts of a record that are searched. */
interface SearchedRecord {
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
  /** Whether every word occurs in the question or the answer of a record that has the terms. */
  matches(record: SearchedRecord): boolean;
  /** Where the words stand: in order, without overlaps. */
  highlights(record: SearchedRecord): Highlight[];
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
  const needles = needlesOf(query);
  const known = [...new Set(needles.flatMap(({ terms }) => terms))];
  if (known.length === 0) return null;
  const terms = known.slice(0, mostTerms);
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

/** Each once. */
function needlesOf(query: string): Needle[] {
  const phrases = Array.from(query.matchAll(quoted), ([, ...inside]) =>
    inside.find((text) => text !== undefined),
  );
  const all = [
    ...runsOf(query.replace(quoted, ' ')).map(wordNeedle),
    ...phrases.map((text) => phraseNeedle(text ?? '')).filter((needle) => needle !== null),
  ];
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
