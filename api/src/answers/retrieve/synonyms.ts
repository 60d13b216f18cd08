import { englishStopWords } from '../../text/stop-words.ts';
import { pairsIn, type Run, runsOf, stemOf, termTexts } from '../../text/terms.ts';

/** A word or phrase in a question that has synonyms. */
export interface SynonymMatch {
  /** Position in the question, in UTF-16 units. */
  start: number;
  end: number;
  /** The parts of folded runs that it consists of. */
  parts: { run: number; from: number; to: number }[];
  /** The word or phrase as in the question, folded. */
  surface: string;
  /** The word or phrase itself, then its synonyms. */
  ways: { surface: string; terms: string[] }[];
}

/** Finds the words of a text that have synonyms: by longest match, without overlaps. */
export type Synonyms = (runs: readonly Run[]) => SynonymMatch[];

export const noSynonyms: Synonyms = () => [];

/** Combines two sets of synonyms. Of overlapping matches that of `first` counts. */
export function eitherOf(first: Synonyms, second: Synonyms): Synonyms {
  return (runs) => {
    const found = first(runs);
    const isFree = ({ start, end }: SynonymMatch) => !found.some((one) => start < one.end && one.start < end);
    return [...found, ...second(runs).filter(isFree)].sort((one, other) => one.start - other.start);
  };
}

/** An element of phrases: a Chinese character, a stem or a number. */
interface Atom {
  key: string;
  isChinese: boolean;
  run: number;
  from: number;
  to: number;
}

interface Member {
  keys: string[];
  others: SynonymMatch['ways'];
}

/** @param groups each contains words and phrases of the same meaning. A word may be in several groups. */
export function compileSynonyms(groups: readonly (readonly string[])[]): Synonyms {
  const members = new Map<string, Member>();
  for (const group of groups) {
    const ways = group.map((word) => ({ surface: word, terms: termsOfPhrase(word) }));
    for (const [at, word] of group.entries()) {
      const keys = atomsOf(runsOf(word)).map(({ key }) => key);
      const name = keys.join('\n');
      const member = members.get(name) ?? { keys, others: [] };
      member.others.push(...ways.filter((_, index) => index !== at));
      members.set(name, member);
    }
  }
  const byFirst = Map.groupBy(
    [...members.values()].sort((one, other) => other.keys.length - one.keys.length),
    ({ keys }) => keys[0],
  );
  if (byFirst.size === 0) return noSynonyms;
  return (runs) => {
    const atoms = atomsOf(runs);
    const matches: SynonymMatch[] = [];
    for (let at = 0; at < atoms.length; ) {
      const found = byFirst.get(atoms[at]!.key)?.find(({ keys }) => isAt(atoms, at, keys));
      if (found) matches.push(matchOf(runs, atoms.slice(at, at + found.keys.length), found));
      at += found?.keys.length ?? 1;
    }
    return matches;
  };
}

function atomsOf(runs: readonly Run[]): Atom[] {
  return runs.flatMap(({ text, script }, run): Atom[] => {
    if (script !== 'cjk')
      return [{ key: termTexts({ text, script })[0]!, isChinese: false, run, from: 0, to: text.length }];
    return [...text.matchAll(/./gsu)].map(({ 0: key, index: from }) => {
      return { key, isChinese: true, run, from, to: from + key.length };
    });
  });
}

/** Whether these keys follow at `at`, Chinese ones without punctuation in between. */
function isAt(atoms: readonly Atom[], at: number, keys: readonly string[]): boolean {
  return keys.every((key, index) => {
    const [before, atom] = [atoms[at + index - 1], atoms[at + index]];
    if (atom?.key !== key) return false;
    return index === 0 || atom.run === before!.run || !atom.isChinese || !before!.isChinese;
  });
}

function matchOf(runs: readonly Run[], atoms: readonly Atom[], { others }: Member): SynonymMatch {
  const byRun = Map.groupBy(atoms, ({ run }) => run);
  const parts = [...byRun].map(([run, some]) => ({ run, from: some[0]!.from, to: some.at(-1)!.to }));
  const surface = parts.map(({ run, from, to }) => runs[run]!.text.slice(from, to)).join(' ');
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const [firstRun, lastRun] = [runs[first.run]!, runs[last.run]!];
  return {
    start: firstRun.folded.starts[firstRun.from + first.from]!,
    end: lastRun.folded.ends[lastRun.from + last.to - 1]!,
    parts,
    surface,
    ways: [{ surface, terms: termsOfPhrase(surface) }, ...others],
  };
}

/** Pairs of characters, stems and numbers of a phrase, without stop words unless it has nothing else. */
function termsOfPhrase(phrase: string): string[] {
  const runs = runsOf(phrase);
  const content = runs.filter(({ script, text }) => script !== 'word' || !englishStopWords.has(stemOf(text)));
  const terms = (content.length > 0 ? content : runs).flatMap((run) =>
    run.script === 'cjk' ? pairsIn(run.text) : termTexts(run),
  );
  return [...new Set(terms)];
}
