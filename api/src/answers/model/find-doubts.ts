import type { Doubt } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import { chineseValue, englishValues, valueOfDigits } from '../../text/numerals.ts';
import { runsOf } from '../../text/terms.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { allTerms } from '../index/passage-terms.ts';
import { leavesOf, type Span, structureOf } from '../index/structure.ts';
import { analyseQuestion, languageOf } from '../retrieve/analyse-question.ts';

export interface CheckedAnswer {
  /** The answer with its citations as `[n]`. */
  text: string;
  /** The passages of its citations: `[n]` refers to `cited[n - 1]`. */
  cited: readonly KnowledgePassage[];
  language: Language;
  /** Texts whose numbers the answer may repeat; null if it may contain any, as from a picture. */
  known: readonly string[] | null;
}

/** Maximum length that is checked, in UTF-16 units: longer than answers of models. Takes some 100 ms. */
const maxChecked = 20_000;
/** Minimum share of a content word, which excludes pairs across words and single characters. */
const minShare = 0.5;

/**
 * Finds what a model's answer says without support: citations of passages that share neither a content word
 * nor a number with the sentence, sentences that have only such citations, and numbers that are in no passage
 * with a supported citation. Sentences are not compared with passages in another language. In the order of
 * their ends.
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
    const unfounded = own.filter(([, n]) => !isSupported(said, passages[Number(n) - 1]));
    for (const one of own) if (!unfounded.includes(one)) supported.add(Number(one[1]) - 1);
    for (const { 0: mark, index } of unfounded)
      doubts.push({ kind: 'citation', start: index, end: index + mark.length });
    if (unfounded.length === own.length)
      doubts.push({ kind: 'sentence', start: sentence.start, end: unfounded.at(-1)!.index });
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

/** The text with all matches replaced by spaces, so that positions remain the same. */
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

function supportOf({ title, place, tableHead, text }: KnowledgePassage): Support {
  const all = [title, place, tableHead, text].filter(Boolean).join('\n');
  return {
    language: languageOf(runsOf(text), 'zh'),
    terms: new Set(allTerms(all)),
    numbers: numberValues(all),
  };
}

/**
 * Whether a passage supports a sentence. true if it is in another language, or the sentence has no content.
 */
function isSupported({ language, words, numbers }: Said, passage: Support | undefined): boolean {
  if (!passage || passage.language !== language) return true;
  if (words.length === 0 && numbers.length === 0) return true;
  return (
    words.some((terms) => terms.every((term) => passage.terms.has(term))) ||
    numbers.some(({ values }) => values.some((value) => passage.numbers.has(value)))
  );
}

/** The sentence, item or row of `passage` most similar to the cited last sentence of `shown`. */
export function supportFor(passage: KnowledgePassage, shown: string): Span {
  const said = new Set(allTerms(lastSentence(shown)));
  const leaves = structureOf(passage.text).flatMap(leavesOf);
  let best = leaves[0] ?? { start: 0, end: passage.text.length };
  let most = 0;
  for (const leaf of leaves) {
    const terms = new Set(allTerms(passage.text.slice(leaf.start, leaf.end)));
    const shared = [...terms].filter((term) => said.has(term)).length / Math.sqrt(terms.size || 1);
    if (shared > most) [best, most] = [leaf, shared];
  }
  return best;
}

function lastSentence(text: string): string {
  const sentences = text.slice(-300).split(/[。！？\n]|[.!?]\s/);
  return sentences.filter((part) => part.trim() !== '').at(-1) ?? '';
}

/** A number in digits: its value, and `#` with all digits of the telephone number or date it is part of. */
interface FoundNumber {
  start: number;
  end: number;
  values: readonly string[];
}

/** Separators between the parts of a telephone number or date. */
const joint = /^(?:[ \-–—./]|[ -]?\(|\)[ -]?)$/;

/** The numbers of a text that are written in digits. */
function numbersIn(text: string): FoundNumber[] {
  const runs = runsOf(text).filter(({ script }) => script === 'number');
  const groups: (typeof runs)[] = [];
  for (const run of runs) {
    const before = groups.at(-1)?.at(-1);
    if (before && joint.test(text.slice(before.end, run.start))) groups.at(-1)!.push(run);
    else groups.push([run]);
  }
  return groups.flatMap((group) => {
    const digits = group.map((run) => run.text.replace(/\D/g, '')).join('');
    const joined = digits.length >= minJoined ? [`#${digits}`] : [];
    return group.map((run) => ({
      start: run.start,
      end: run.end + (percent.exec(text.slice(run.end))?.[0].length ?? 0),
      values: [valueOfDigits(run.text, text.slice(run.end)), ...joined],
    }));
  });
}

const percent = /^[%％‰]/;
/** Minimum number of digits of a telephone number or date. */
const minJoined = 7;

/** All values in a text, including those in words and Chinese numerals. */
function numberValues(text: string): Set<string> {
  const values = new Set(numbersIn(text).flatMap((one) => one.values));
  for (const [numeral] of text.matchAll(/[〇零一二两三四五六七八九十百千万亿]+/g))
    values.add(String(chineseValue(numeral)));
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+(?:-[a-z]+)?/g)) {
    const [tens = 0, ones = 0] = word.split('-').map((part) => englishValues.get(part) ?? Number.NaN);
    if (!Number.isNaN(tens + ones)) values.add(String(tens + ones));
  }
  return values;
}
