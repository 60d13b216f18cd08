import type { Doubt } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import { runsOf } from '../../text/terms.ts';
import { allTerms } from '../index/passage-terms.ts';
import { leavesOf, structureOf } from '../index/structure.ts';
import { analyseQuestion, languageOf } from '../retrieve/analyse-question.ts';
import type { PassageText } from '../retrieve/places.ts';
import { type FoundNumber, numbersIn, numberValues } from './numbers-in.ts';

export interface CheckedAnswer {
  /** The answer with its citations as `[n]`. */
  text: string;
  /** The passages of its citations: `[n]` refers to `cited[n - 1]`. */
  cited: readonly PassageText[];
  language: Language;
  /** Texts whose numbers an answer may repeat, such as the question; null if it may say numbers that no text has, as those of a picture. */
  known: readonly string[] | null;
}

/** Maximum checked length in UTF-16 units: longer than the answers of models, and checked in some 100 ms. */
const maxChecked = 20_000;
/** Minimum share of a unit of a text that counts as a content word: pairs across words and single characters do not. */
const minShare = 0.5;

/**
 * Finds what a model's answer says without support: citations of passages that share neither a content word nor a number with their sentence, sentences
 * that have only such citations, and numbers that are in no passage cited with support. Sentences are not compared with passages in another language.
 * In the order of their ends.
 */
export function findDoubts({ text: whole, cited, language, known }: CheckedAnswer): Doubt[] {
  const text = whole.slice(0, maxChecked);
  const doubts: Doubt[] = [];
  const marks = [...masked(text, code).matchAll(/\[(\d{1,3})\]/g)];
  const plain = masked(masked(text, code), /\[\d{1,3}\]/g);
  const blocks = structureOf(plain).filter(({ kind }) => kind !== 'code');
  const sentences = blocks.flatMap(leavesOf);
  const passages = cited.map(supportOf);
  const supported = new Set<number>();
  const marksOf = Map.groupBy(marks, ({ index }) => sentences.findLast(({ start }) => start <= index));
  for (const [sentence, own] of marksOf) {
    if (!sentence) continue;
    const said = saidBy(plain.slice(sentence.start, sentence.end), language);
    const [founded, unfounded] = [true, false].map((is) =>
      own.filter(([, n]) => isSupported(said, passages[Number(n) - 1]) === is),
    ) as [typeof own, typeof own];
    for (const [, n] of founded) supported.add(Number(n) - 1);
    for (const { 0: mark, index } of unfounded)
      doubts.push({ kind: 'citation', start: index, end: index + mark.length });
    const last = unfounded.at(-1);
    if (founded.length === 0 && last)
      doubts.push({ kind: 'sentence', start: sentence.start, end: last.index });
  }
  if (known !== null) doubts.push(...numbersWithoutSupport());
  return doubts.sort((one, other) => one.end - other.end);

  function numbersWithoutSupport(): Doubt[] {
    const lengths = blocks.map((block) => String(leavesOf(block).length));
    const values = new Set([...known!.flatMap((one) => [...numberValues(one)]), ...lengths]);
    for (const at of supported) for (const value of passages[at]?.numbers ?? []) values.add(value);
    const unmarked = masked(plain, /^[ \t]*(?:#{1,6}[ \t]+)?\d{1,3}[.)、](?=\s)/gm);
    const unfounded = doubts.filter(({ kind }) => kind === 'sentence');
    return numbersIn(unmarked)
      .filter(({ start, end, values: all }: FoundNumber) => {
        const isInDoubt = unfounded.some((one) => one.start <= start && end <= one.end);
        return !isInDoubt && !all.some((value) => values.has(value));
      })
      .map(({ start, end }) => ({ kind: 'number', start, end }));
  }
}

const code = /^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))|`[^`\n]+`/gm;

/** The text with all matches as blanks, so that positions stay. */
function masked(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => found.replace(/[^\n]/g, ' '));
}

interface Said {
  language: Language;
  /** Terms of each content word. */
  words: (readonly string[])[];
  numbers: readonly FoundNumber[];
}

function saidBy(sentence: string, fallback: Language): Said {
  const { language, units } = analyseQuestion(sentence, fallback);
  const words = units.filter(({ share }) => share >= minShare).flatMap(({ groups }) => groups);
  return { language, words: words.map(({ terms }) => terms), numbers: numbersIn(sentence) };
}

interface Support {
  language: Language;
  terms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
}

function supportOf({ title, place, tableHead, text }: PassageText): Support {
  const all = [title, place, tableHead, text].filter(Boolean).join('\n');
  return {
    language: languageOf(runsOf(text), 'zh'),
    terms: new Set(allTerms(all)),
    numbers: numberValues(all),
  };
}

/** Sentences without any content, such as “yes”, and those in another language cannot be compared. */
function isSupported({ language, words, numbers }: Said, passage: Support | undefined): boolean {
  if (!passage || passage.language !== language) return true;
  if (words.length === 0 && numbers.length === 0) return true;
  return (
    words.some((terms) => terms.every((term) => passage.terms.has(term))) ||
    numbers.some(({ values }) => values.some((value) => passage.numbers.has(value)))
  );
}
