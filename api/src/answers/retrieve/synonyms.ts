import { englishStopWords } from '../../text/stop-words.ts';
import { pairsIn, type Run, runsOf, stemOf, termTexts } from '../../text/terms.ts';

/** A word or phrase of a question that a desk has given synonyms. */
export interface SynonymMatch {
  /** Place in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Places in the folded runs that it consists of. */
  parts: { run: number; from: number; to: number }[];
  /** As in the question, folded. */
  surface: string;
  /** Its own terms, then those of its synonyms. */
  ways: { surface: string; terms: string[] }[];
}

/** Finds the words of a text that have synonyms: the longest ones, without overlaps. */
export type Synonyms = (runs: readonly Run[]) => SynonymMatch[];

export const noSynonyms: Synonyms = () => [];

/** Finds what either finds; of overlapping ones that of `first`. */
export function eitherOf(first: Synonyms, second: Synonyms): Synonyms {
  return (runs) => {
    const found = first(runs);
    const isFree = ({ start, end }: SynonymMatch) => !found.some((one) => start < one.end && one.start < end);
    return [...found, ...second(runs).filter(isFree)].sort((one, other) => one.start - other.start);
  };
}

/** A Chinese character, or a word, stemmed, or a number. */
interface Atom {
  key: string;
  script: Run['script'];
  run: number;
  from: number;
  to: number;
}

interface Member {
  keys: string[];
  others: SynonymMatch['ways'];
}

/** `groups` are words and phrases that mean the same. One may be in several groups. */
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
  return runs.flatMap(({ text, script }, run): Atom[] =>
    script === 'cjk'
      ? [...text.matchAll(/./gsu)].map(({ 0: key, index: from }) => ({
          key,
          script,
          run,
          from,
          to: from + key.length,
        }))
      : [{ key: termTexts({ text, script })[0]!, script, run, from: 0, to: text.length }],
  );
}

/** Whether the keys follow here, Chinese ones without punctuation in between. */
function isAt(atoms: readonly Atom[], at: number, keys: readonly string[]): boolean {
  return keys.every((key, index) => {
    const [before, atom] = [atoms[at + index - 1], atoms[at + index]];
    if (atom?.key !== key) return false;
    return index === 0 || atom.run === before!.run || atom.script !== 'cjk' || before!.script !== 'cjk';
  });
}

function matchOf(runs: readonly Run[], atoms: readonly Atom[], { others }: Member): SynonymMatch {
  const byRun = Map.groupBy(atoms, ({ run }) => run);
  const parts = [...byRun].map(([run, some]) => ({ run, from: some[0]!.from, to: some.at(-1)!.to }));
  const surface = parts.map(({ run, from, to }) => runs[run]!.text.slice(from, to)).join(' ');
  const place = (at: number, side: 'starts' | 'ends', run: Run) => run.folded[side][run.from + at]!;
  const [first, last] = [parts[0]!, parts.at(-1)!];
  return {
    start: place(first.from, 'starts', runs[first.run]!),
    end: place(last.to - 1, 'ends', runs[last.run]!),
    parts,
    surface,
    ways: [{ surface, terms: termsOfPhrase(surface) }, ...others],
  };
}

/** Pairs of characters, stems and numbers; without stop words unless it has nothing else. */
function termsOfPhrase(phrase: string): string[] {
  const runs = runsOf(phrase);
  const content = runs.filter(({ script, text }) => script !== 'word' || !englishStopWords.has(stemOf(text)));
  const terms = (content.length > 0 ? content : runs).flatMap((run) =>
    run.script === 'cjk' ? pairsIn(run.text) : termTexts(run),
  );
  return [...new Set(terms)];
}
