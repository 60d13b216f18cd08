import type { Highlight } from '../../contract/search.ts';
import { runsOf } from '../../text/terms.ts';
import { type Needle, phraseNeedle, type Span, searchedText, wordNeedle } from './search-needles.ts';

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
