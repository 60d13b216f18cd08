import type { Language } from '../../contract/language.ts';
import { maxTimeMS } from '../../store/query-limit.ts';
import { readPlain } from '../../store/read-plain.ts';
import { pairsIn } from '../../text/terms.ts';
import { wordVectors } from '../embeddings/word-vectors.ts';
import type { Candidate } from '../index/findable.ts';
import { tabulate } from '../index/packed-terms.ts';
import { keyMarks, wordPairs } from '../index/passage-terms.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import {
  type AnalysedQuestion,
  analyseQuestion,
  type QuestionUnit,
  type TermGroup,
  unknownWord,
} from './analyse-question.ts';
import { correctSpelling } from './correct-spelling.ts';
import { namesIn } from './names-in.ts';
import { candidateFields, type SharedTermCounts, sharedReadsOf } from './shared-reads.ts';
import type { Synonyms } from './synonyms.ts';

export interface CountedUnit extends QuestionUnit {
  /** Document frequency: the number of passages that contain it. */
  passages: number;
  /** Inverse document frequency times `share`. */
  weight: number;
  /** The terms to look it up by: the rarest one of each group, with its document frequency. */
  lookups: { term: string; passages: number }[];
  /** Words near to a rare one, for looking up and ranking only: a passage with them does not say the unit. */
  near?: TermGroup[];
}

/** A term with its inverse document frequency. */
export interface WeightedTerm {
  term: string;
  weight: number;
}

export interface Candidates {
  /** The question with its spelling corrected. */
  question: AnalysedQuestion;
  text: string;
  units: CountedUnit[];
  /** The words of the question, and those near to rare ones. */
  words: WeightedTerm[];
  /** The Chinese characters of the question. */
  characters: WeightedTerm[];
  /** Number of passages in the index, without private ones. */
  total: number;
  /** Number of passages in the index, without private ones and the handbook. */
  own: number;
  found: Candidate[];
  /** The packed byte of a term in each of `found`, see `tabulate`. */
  placesOf(term: string): Uint8Array;
}

/** Stages of retrieval that can be left out to measure their contribution. */
export type Stage = (typeof stages)[number];
export const stages = [
  'spelling',
  'regional',
  'characters',
  'document',
  'places',
  'meaning',
  'handbook',
] as const;

export interface KnowledgeScope {
  /** Owner of private passages to search too; '' for none. */
  owner: string;
  /** Owners of further collections that the asker may read; default none. */
  readable?: readonly string[];
  /** The edition of the handbook to search; '' for none. */
  edition: string;
  /** Titles of the handbook pages for operators, and whether the asker is an operator. */
  operations?: { titles: readonly string[]; areForAsker(): Promise<boolean> };
  /** If given, all passages of these documents of the owner are candidates, and no others. */
  documentIds?: readonly string[] | undefined;
  /** A document to ignore. */
  withoutDocument?: string | undefined;
  synonyms?: Synonyms;
  /** Whether `synonyms` contains expansions of the question's abbreviations. */
  isExpanded?: boolean;
  /** Stages to leave out. */
  without?: ReadonlySet<Stage> | undefined;
}

/** Terms in at most this many passages are looked up together, up to `maxOfRare` passages. */
const maxRare = 150;
const maxOfRare = 240;
/** Common terms are looked up in headings and other ways to ask, and two of them in the body. */
const maxCommonWords = 4;
const maxOfCommon = 80;
/** Maximum numbers of candidates in private passages and in files, and of word pairs to look up. */
const maxPrivate = 200;
const maxOfFiles = 2000;
const maxPairs = 40;
const [inHeading, frequent, inBody] = keyMarks;

/**
 * Finds the passages that may answer a question: shared ones and the owner's. It reads at most about 1,000,
 * however many there are, through index entries of the question's rarest words. With misspelt words, the
 * corrected question is looked up instead.
 *
 * @param more ids of further candidates, whatever their words.
 */
export async function findCandidates(
  models: KnowledgeModels,
  asked: AskedQuestion,
  scope: KnowledgeScope,
  more?: MorePassages,
): Promise<Candidates> {
  const found = await findFor(models, asked, scope, more);
  if (scope.without?.has('spelling')) return found;
  const corrected = await correctSpelling(found, counterOf(models, scope));
  return corrected === null ? found : findFor(models, { ...asked, text: corrected }, scope, more);
}

/** Owners of all collections that the asker may read. */
export const sharedOwners = ({ readable = [] }: Pick<KnowledgeScope, 'readable'>): string[] => [
  '',
  ...readable,
];

/** Returns a function that counts the passages with each term; the empty term counts all of them. */
const counterOf = (models: KnowledgeModels, scope: KnowledgeScope) => (terms: readonly string[]) =>
  sharedReadsOf(models).countTerms(scope.edition, [...new Set(['', ...terms])], sharedOwners(scope));

type MorePassages = Promise<readonly string[] | null>;

interface AskedQuestion {
  text: string;
  language: Language;
}

async function findFor(
  models: KnowledgeModels,
  { text, language }: AskedQuestion,
  scope: KnowledgeScope,
  more?: MorePassages,
): Promise<Candidates> {
  // In context, `text` begins with earlier questions, perhaps in another language than the question.
  const question = { ...analyseQuestion(text, language, scope.synonyms), language };
  const { units: all, words, characters } = question;
  const units = scope.without?.has('regional') ? all.map(withoutRegions) : all;
  const terms = [...units.flatMap(({ groups }) => groups.flatMap((group) => group.terms)), ...words];
  const pairs = [...new Set(wordPairs(text))].slice(0, maxPairs);
  const count = counterOf(models, scope);
  const { countOf, own } = await count([...terms, ...characters, ...pairs]);
  const total = countOf('');
  const countedUnits = units.map((unit) => countUnit(unit, countOf, total));
  const { counted, nearWords } = await withNearWords(countedUnits, text, count);
  const countPair = (term: string) => ({ term, passages: countOf(term), weight: 0 });
  const knownPairs = pairs.map(countPair).filter(({ passages }) => passages > 0);
  const rows = scope.documentIds
    ? await read(models, { documentId: { $in: scope.documentIds }, owner: scope.owner }, maxOfFiles)
    : await lookUp(models, counted, knownPairs, scope, more);
  const found = [...new Map(rows.map((one) => [one._id, one])).values()].filter(
    ({ edition, documentId }) =>
      (edition === '' || edition === scope.edition) && documentId !== scope.withoutDocument,
  );
  const allWays = counted.flatMap((unit) => waysOf(unit).flatMap((way) => way.terms));
  const placesOf = tabulate(found, new Set([...words, ...characters, ...allWays]));
  const weigh = (term: string) => ({ term, weight: rarity(total, countOf(term)) });
  return {
    question,
    text,
    units: recounted(counted, total, placesOf),
    words: [...words.map(weigh), ...nearWords],
    characters: characters.map(weigh),
    total,
    own,
    found,
    placesOf,
  };
}

function withoutRegions(unit: QuestionUnit): QuestionUnit {
  const [own] = unit.groups;
  return { ...unit, terms: own!.terms, groups: [own!] };
}

function read({ findable }: KnowledgeModels, filter: object, limit: number): Promise<Candidate[]> {
  return readPlain(findable, filter, { projection: candidateFields, limit, batchSize: limit, maxTimeMS });
}

/**
 * Looks up the rarest words first. Never two words at once: the store would read every passage with the rarer
 * one, however many there are.
 */
async function lookUp(
  models: KnowledgeModels,
  units: readonly CountedUnit[],
  pairs: readonly { term: string; passages: number; weight: number }[],
  scope: KnowledgeScope,
  more: MorePassages | undefined,
): Promise<Candidate[]> {
  const { owner, readable = [] } = scope;
  const lookups = units
    .flatMap((unit) => unit.lookups.map((one) => ({ ...one, weight: unit.weight })))
    .concat(pairs)
    .filter(({ term }, at, all) => all.findIndex((other) => other.term === term) === at)
    .sort((one, other) => one.passages - other.passages);
  const rare: string[] = [];
  let expected = 0;
  for (const { term, passages } of lookups) {
    expected += passages;
    if (passages <= maxRare && (rare.length === 0 || expected <= maxOfRare)) rare.push(term);
  }
  const common = lookups
    .filter(({ term }) => !rare.includes(term))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, maxCommonWords);
  const reads = sharedReadsOf(models);
  // Only ids, as most rows are cached. Further collections are looked up separately, so that the first one
  // does not use up the limits. In the index, passages in which a word is frequent come before others.
  const keys = [...marked(rare), ...common.map(({ term }) => inHeading + term)];
  const looks = (readable.length > 0 ? [[''], readable] : [['']]).flatMap((owners) => [
    keys.length > 0 ? reads.findIds(owners, keys, maxOfRare + common.length * maxOfCommon) : [],
    ...common
      .slice(0, 2)
      .map(({ term }) => reads.findIds(owners, [frequent + term, inBody + term], maxOfCommon)),
  ]);
  const all = lookups.map(({ term }) => term);
  const [own, near, ...ids] = await Promise.all([
    owner === '' ? [] : read(models, { owner, terms: { $in: marked(all) } }, maxPrivate),
    more ?? null,
    ...looks,
  ]);
  const shared = await reads.readCandidates(
    [...new Set([...ids.flat(), ...(near ?? [])])],
    sharedOwners(scope),
  );
  const isShared = new Set(shared.map(({ _id }) => _id));
  const ownNear = owner === '' ? [] : (near ?? []).filter((id) => !isShared.has(id));
  if (ownNear.length === 0) return [...shared, ...own];
  return [...shared, ...own, ...(await read(models, { _id: { $in: ownNear }, owner }, ownNear.length))];
}

function marked(terms: readonly string[]): string[] {
  return terms.flatMap((term) => keyMarks.map((mark) => mark + term));
}

function countUnit(unit: QuestionUnit, countOf: (term: string) => number, total: number): CountedUnit {
  const lookups = unit.groups.map(({ terms }) => rarestOf(terms, countOf));
  const own = lookups[0]!.passages;
  // The frequency of the question's own word, or of its synonyms if no passage contains it.
  const passages = own > 0 ? own : Math.max(...lookups.map((one) => one.passages));
  return { ...unit, lookups, passages, weight: unit.share * rarity(total, passages) };
}

/** A word in at most this many passages is also looked up by the words with the nearest vectors. */
const maxOfFewPassages = 5;
const maxNearWords = 4;
/** Factor for the cosine of a near word: a passage with it covers less than `minSaid` of the unit. */
const nearStrength = 0.5;

/** Adds near words to rare units, except names. `nearWords` are their terms with weights. */
async function withNearWords(
  units: readonly CountedUnit[],
  text: string,
  count: (terms: string[]) => Promise<SharedTermCounts>,
): Promise<{ counted: CountedUnit[]; nearWords: WeightedTerm[] }> {
  const names = namesIn(text);
  const isRare = ({ passages, groups, share, surface }: CountedUnit) =>
    passages <= maxOfFewPassages && groups.length === 1 && share >= unknownWord && !names.has(surface);
  const wanted = units.map((unit) =>
    (isRare(unit) ? wordVectors().neighboursOf(unit.surface) : []).map(({ word, cosine }) => ({
      terms: isChinese.test(word) ? pairsIn(word) : [word],
      strength: nearStrength * cosine,
      surface: word,
    })),
  );
  const terms = wanted.flat().flatMap((near) => near.terms);
  if (terms.length === 0) return { counted: [...units], nearWords: [] };
  const { countOf } = await count(terms);
  const total = countOf('');
  const counted = units.map((unit, at) => {
    const near = wanted[at]!.filter((one) => one.terms.every((term) => countOf(term) > 0)).slice(
      0,
      maxNearWords,
    );
    return { ...unit, near, lookups: [...unit.lookups, ...near.map((one) => rarestOf(one.terms, countOf))] };
  });
  const nearWords = counted.flatMap(({ near }) =>
    (near ?? []).flatMap(({ terms, strength }) =>
      terms.map((term) => ({
        term,
        weight: ((strength / nearStrength) * rarity(total, countOf(term))) / terms.length,
      })),
    ),
  );
  return { counted, nearWords };
}

/** The groups of a unit and its near words. */
export const waysOf = ({ groups, near = [] }: Pick<CountedUnit, 'groups' | 'near'>) => [...groups, ...near];

const isChinese = /\p{Script=Han}/u;

function rarestOf(terms: readonly string[], countOf: (term: string) => number) {
  const counts = terms.map((term) => ({ term, passages: countOf(term) }));
  return counts.reduce((least, one) => (one.passages < least.passages ? one : least));
}

/**
 * Raises document frequencies to the number of candidates that contain the unit: private passages, and pairs
 * across the edge of a word, are not in the counts.
 */
function recounted(
  units: readonly CountedUnit[],
  total: number,
  placesOf: Candidates['placesOf'],
): CountedUnit[] {
  return units.map((unit) => {
    if (unit.passages > maxRare) return unit;
    const groups = unit.groups.map(({ terms }) => terms.map(placesOf));
    const all = groups[0]![0]!.length;
    let least = 0;
    for (let at = 0; at < all; at += 1)
      if (groups.some((columns) => columns.every((column) => column[at]! > 0))) least += 1;
    if (least <= unit.passages) return unit;
    return { ...unit, passages: least, weight: unit.share * rarity(Math.max(total, all), least) };
  });
}

/** Inverse document frequency (Robertson). */
function rarity(total: number, passages: number): number {
  return Math.log(1 + (total - Math.min(passages, total) + 0.5) / (passages + 0.5));
}
