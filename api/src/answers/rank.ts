import type { Candidates, CountedUnit, WeightedTerm } from './find-candidates.ts';
import type { Candidate } from './findable.ts';
import { hashOf, placesIn, unpackPlaces } from './packed-terms.ts';

/** A candidate with what its terms say of the question. */
export interface RatedPassage {
  candidate: Candidate;
  /** BM25F over every word of the question. */
  words: number;
  /** The same over its single Chinese characters. */
  characters: number;
  /** How far it says each unit anywhere, 0–1. */
  said: number[];
  /** The same of its headings, other ways to ask for it and its title. */
  above: number[];
  /** How far all candidates of its document say each unit together. */
  inDocument: number[];
  /** Share of the question's weight that they say. */
  documentShare: number;
  /** 1 in the question's language, less in another. */
  fit: number;
}

const saturation = 1.2;
const lengthShare = 0.5;
const typicalLength = 300;
const weightOfHeading = 2;
const weightOfTitle = 1;
const otherLanguage = 0.32;

/** Rates candidates by their packed terms alone; no text is read. Pure. */
export function rateCandidates(candidates: Candidates): RatedPassage[] {
  const { found, units, question } = candidates;
  const hashed = units.map((unit) =>
    unit.groups.map(({ terms, strength }) => ({ hashes: terms.map(hashOf), strength })),
  );
  const words = hash(candidates.words);
  const characters = hash(candidates.characters);
  const rated = found.map((candidate): RatedPassage => {
    const said = units.map(() => 0);
    const above = units.map(() => 0);
    for (const [at, groups] of hashed.entries())
      for (const { hashes, strength } of groups) {
        let [all, heading] = [0, 0];
        for (const one of hashes) {
          const byte = placesIn(candidate.weights, one);
          if (byte === 0) continue;
          all += 1;
          const { heading: isHeading, asked, title } = unpackPlaces(byte);
          if (isHeading || asked || title) heading += 1;
        }
        said[at] = Math.max(said[at]!, (strength * all) / hashes.length);
        above[at] = Math.max(above[at]!, (strength * heading) / hashes.length);
      }
    return {
      candidate,
      words: bm25(candidate, words),
      characters: bm25(candidate, characters),
      said,
      above,
      inDocument: said,
      documentShare: 0,
      fit: candidate.language === question.language ? 1 : otherLanguage,
    };
  });
  shareOfDocuments(rated, units);
  return rated;
}

interface HashedTerm {
  hash: number;
  weight: number;
}

function hash(terms: readonly WeightedTerm[]): HashedTerm[] {
  return terms.map(({ term, weight }) => ({ hash: hashOf(term), weight }));
}

/** BM25 over fields (Robertson, Zaragoza and Taylor, 2004). */
function bm25({ weights, length }: Candidate, terms: readonly HashedTerm[]): number {
  const norm = saturation * (1 - lengthShare + (lengthShare * length) / typicalLength);
  let score = 0;
  for (const { hash, weight } of terms) {
    const byte = placesIn(weights, hash);
    if (byte === 0) continue;
    const { body, heading, asked, title } = unpackPlaces(byte);
    const times = body + (heading || asked ? weightOfHeading : 0) + (title ? weightOfTitle : 0);
    score += (weight * times * (saturation + 1)) / (times + norm);
  }
  return score;
}

/** What a question names may stand in other passages of the document only: its organisation or product, above all. */
function shareOfDocuments(rated: readonly RatedPassage[], units: readonly CountedUnit[]): void {
  const best = new Map<string, number[]>();
  for (const { candidate, said } of rated) {
    const known = best.get(candidate.documentId) ?? units.map(() => 0);
    for (const [at, share] of said.entries()) known[at] = Math.max(known[at]!, share);
    best.set(candidate.documentId, known);
  }
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  for (const one of rated) {
    one.inDocument = best.get(one.candidate.documentId)!;
    one.documentShare = weigh(one.inDocument, units) / whole;
  }
}

/** Sum of the units' weights by how far each is said. */
export function weigh(said: readonly number[], units: readonly CountedUnit[]): number {
  return units.reduce((sum, { weight }, at) => sum + weight * said[at]!, 0);
}

/** Best first by `score`; of equals the one with the smaller id, so that the same question gets the same answer. */
export function orderBy<T extends RatedPassage>(passages: readonly T[], score: (one: T) => number): T[] {
  return passages
    .map((one) => ({ one, score: score(one) }))
    .sort((a, b) => b.score - a.score || (a.one.candidate._id < b.one.candidate._id ? -1 : 1))
    .map(({ one }) => one);
}

/** Reciprocal rank fusion (Cormack et al., 2009): ranks near the top count most, more so the smaller this is. */
const rankOffset = 5;
/** Scores that differ by less than its inverse are equal: sums of the same ranks differ by rounding. */
const precision = 1e9;

/** Fuses ranked lists of the same passages: what several put high comes first, of equals as in the last list. Scores are 0–1. */
export function fuse<T extends RatedPassage>(lists: readonly (readonly T[])[]): { one: T; score: number }[] {
  const scores = new Map<T, number>();
  for (const list of lists.toReversed())
    for (const [at, one] of list.entries())
      scores.set(one, (scores.get(one) ?? 0) + (rankOffset + 1) / (rankOffset + at + 1) / lists.length);
  const rounded = (score: number) => Math.round(score * precision) / precision;
  return [...scores]
    .map(([one, score]) => ({ one, score: rounded(score) }))
    .sort((a, b) => b.score - a.score);
}
