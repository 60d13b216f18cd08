import { conceptTable } from './concept-table.ts';
import { fold } from './fold.ts';
import { type Run, runsOf, stemOf } from './terms.ts';

/** One place where a text names a concept. `term` is indexed like a word; no word can look like it. */
export interface ConceptMatch {
  term: string;
  /** Index of the first run and, for CJK, the units inside it; a Latin phrase covers `runs` runs from there. */
  run: number;
  from: number;
  to: number;
  runs: number;
}

interface Phrase {
  concepts: string[];
  words: string[];
}

const cjkPhrases = new Map<string, Phrase[]>();
const wordPhrases = new Map<string, Phrase[]>();

for (const line of conceptTable) readLine(line);
for (const phrases of [...cjkPhrases.values(), ...wordPhrases.values()]) {
  phrases.sort((one, other) => lengthOf(other) - lengthOf(one));
}

/**
 * Every place in `runs` where a concept of the desk is named, in order of place, the longest phrase first at each. Phrases
 * inside longer ones are matches of their own: whoever wants each place once takes the first and skips what it covers.
 */
export function conceptsIn(runs: readonly Run[]): ConceptMatch[] {
  return runs.flatMap((run, index) =>
    run.script === 'cjk' ? conceptsInCjk(run, index) : phrasesAt(runs, index),
  );
}

/** A single character names a concept only where it is a word of its own: 换 does in 换密码, not in 交换. */
function conceptsInCjk(run: Run, index: number): ConceptMatch[] {
  const matches: ConceptMatch[] = [];
  let words: Set<string> | undefined;
  for (let at = 0; at < run.text.length; at += 1) {
    for (const phrase of cjkPhrases.get(run.text[at]!) ?? []) {
      const text = phrase.words[0]!;
      if (!run.text.startsWith(text, at)) continue;
      if (text.length === 1) {
        words ??= wordPlaces(run.text);
        if (!words.has(`${at} 1`)) continue;
      }
      for (const term of phrase.concepts)
        matches.push({ term, run: index, from: at, to: at + text.length, runs: 1 });
    }
  }
  return matches;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Where the words of a CJK run begin and how long they are, as `start length`. */
function wordPlaces(text: string): Set<string> {
  return new Set([...segmenter.segment(text)].map(({ index, segment }) => `${index} ${segment.length}`));
}

function phrasesAt(runs: readonly Run[], index: number): ConceptMatch[] {
  const matches: ConceptMatch[] = [];
  for (const phrase of wordPhrases.get(wordOf(runs[index]!)) ?? []) {
    if (!phrase.words.every((word, offset) => isWord(runs[index + offset], word))) continue;
    const length = runs[index]!.text.length;
    for (const term of phrase.concepts) {
      matches.push({ term, run: index, from: 0, to: length, runs: phrase.words.length });
    }
  }
  return matches;
}

function isWord(run: Run | undefined, word: string): boolean {
  return run !== undefined && run.script !== 'cjk' && wordOf(run) === word;
}

function wordOf(run: Run): string {
  return run.script === 'word' ? stemOf(run.text) : run.text;
}

function readLine(line: string): void {
  const colon = line.indexOf(':');
  const term = `~${line.slice(0, colon)}`;
  const [chinese = '', english = ''] = line.slice(colon + 1).split(';');
  for (const word of [...chinese.trim().split(/\s+/), ...english.split(',')]) addPhrase(word, term);
}

function addPhrase(written: string, term: string): void {
  const runs = runsOf(fold(written));
  const first = runs[0];
  if (first === undefined) return;
  const isCjk = first.script === 'cjk';
  const words = isCjk ? [first.text] : runs.map(wordOf);
  const table = isCjk ? cjkPhrases : wordPhrases;
  const key = isCjk ? first.text[0]! : words[0]!;
  const phrases = table.get(key) ?? [];
  table.set(key, phrases);
  const same = phrases.find((phrase) => phrase.words.join(' ') === words.join(' '));
  if (same === undefined) phrases.push({ concepts: [term], words });
  else if (!same.concepts.includes(term)) same.concepts.push(term);
}

function lengthOf(phrase: Phrase): number {
  return phrase.words.length * 100 + phrase.words.join('').length;
}
