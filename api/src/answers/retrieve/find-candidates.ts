import type { Language } from '../../contract/language.ts';
import { maxTimeMS } from '../../store/query-limit.ts';
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
  /** Number of passages that say it; 0: no passage does. */
  passages: number;
  /** Robertson's inverse document frequency, times `share`. */
  weight: number;
  /** The rarest term of each way to say it, which it is looked up by, with its document frequency. */
  lookups: { term: string; passages: number }[];
  /** Words that are near to one that few passages say: found and ranked by, but never evidence that it is said. */
  near?: TermGroup[];
}

/** A word with its inverse document frequency. */
export interface WeightedTerm {
  term: string;
  weight: number;
}

export interface Candidates {
  /** The question with its spelling corrected. */
  question: AnalysedQuestion;
  text: string;
  units: CountedUnit[];
  /** Every word of the question. */
  words: WeightedTerm[];
  /** Every Chinese character of the question. */
  characters: WeightedTerm[];
  /** Number of passages in the index, without private ones. */
  total: number;
  /** The same without the handbook. */
  own: number;
  found: Candidate[];
  /** The bytes of a term in each of them (`tabulate`). */
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
  /** Whose private passages are read too; '': nobody's. */
  owner: string;
  /** Owners of the knowledge that the asker may read besides the first collection; missing: none. */
  readable?: readonly string[];
  /** The edition of the handbook that this process indexed. */
  edition: string;
  /** The pages of the handbook for those who run the desk: their titles, and whether the asker is one of them. */
  operations?: { titles: readonly string[]; areForAsker(): Promise<boolean> };
  /** If given, the candidates are all passages of these documents of the owner, and no others. */
  documentIds?: readonly string[];
  /** A document to ignore. */
  withoutDocument?: string;
  /** Words that mean the same. */
  synonyms?: Synonyms;
  /** Whether the synonyms contain the question's abbreviations. */
  isExpanded?: boolean;
  /** Stages to leave out. */
  without?: ReadonlySet<Stage>;
}

/** Words in at most this many passages are looked up together, more common ones mark by mark. */
const maxRare = 150;
const maxOfRare = 240;
const maxOfMark = 80;
const maxCommonWords = 4;
const maxPrivate = 200;
const maxOfFiles = 2000;
const maxPairs = 40;

/**
 * The passages that may answer a question: shared ones and the owner's. At most about 1,000 are read however many there are, each through index
 * entries of its rarest words. A question with misspelt words is looked up again with its spelling corrected.
 *
 * @param more ids of passages that are candidates too, whatever their words.
 */
export async function findCandidates(
  models: KnowledgeModels,
  asked: AskedQuestion,
  scope: KnowledgeScope,
  more?: MorePassages,
): Promise<Candidates> {
  const candidates = await findFor(models, asked, scope, more);
  if (scope.without?.has('spelling')) return candidates;
  const { counts, ...found } = candidates;
  const corrected = await correctSpelling(models, found, counts);
  return corrected === null ? found : findFor(models, { ...asked, text: corrected }, scope, more);
}

/** Owners of all knowledge that the asker may read, without private files. */
export const sharedOwners = ({ readable = [] }: Pick<KnowledgeScope, 'readable'>): string[] => [
  '',
  ...readable,
];

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
): Promise<Candidates & { counts: SharedTermCounts }> {
  // A follow-up begins with earlier questions, perhaps in another language: the language of the question itself decides.
  const question = { ...analyseQuestion(text, language, scope.synonyms), language };
  const { units: all, words, characters } = question;
  const units = scope.without?.has('regional') ? all.map(withoutRegions) : all;
  const terms = [...units.flatMap(({ groups }) => groups.flatMap((group) => group.terms)), ...words];
  const pairs = [...new Set(wordPairs(text))].slice(0, maxPairs);
  const counts = await sharedReadsOf(models).countTerms(
    scope.edition,
    [...new Set(['', ...terms, ...characters, ...pairs])],
    sharedOwners(scope),
  );
  const { countOf } = counts;
  const total = countOf('');
  const { counted, nearWords } = await withNearWords(
    units.map((unit) => countUnit(unit, countOf, total)),
    text,
    (some) => sharedReadsOf(models).countTerms(scope.edition, ['', ...some], sharedOwners(scope)),
  );
  const countPair = (term: string) => ({ term, passages: countOf(term), weight: 0 });
  const knownPairs = pairs.map(countPair).filter(({ passages }) => passages > 0);
  const rows = scope.documentIds
    ? await readAll(models, scope.owner, scope.documentIds)
    : await lookUp(models, counted, knownPairs, scope, more);
  const found = [...new Map(rows.map((one) => [one._id, one])).values()].filter(
    ({ edition, documentId }) =>
      (edition === '' || edition === scope.edition) && documentId !== scope.withoutDocument,
  );
  const placesOf = tabulate(
    found,
    new Set([
      ...words,
      ...characters,
      ...counted.flatMap((unit) => waysOf(unit).flatMap((way) => way.terms)),
    ]),
  );
  const weigh = (term: string) => ({ term, weight: rarity(total, countOf(term)) });
  return {
    question,
    text,
    units: recounted(counted, total, placesOf),
    words: [...words.map(weigh), ...nearWords],
    characters: characters.map(weigh),
    total,
    own: counts.own,
    found,
    placesOf,
    counts,
  };
}

function withoutRegions(unit: QuestionUnit): QuestionUnit {
  const [own] = unit.groups;
  return { ...unit, terms: own!.terms, groups: [own!] };
}

function read(models: KnowledgeModels, filter: object, limit: number): Promise<Candidate[]> {
  // The driver's own collection: no casting, and weights are plain bytes.
  const options = { projection: candidateFields, limit, batchSize: limit, promoteBuffers: true, maxTimeMS };
  return models.findable.collection.find(filter, options).toArray() as unknown as Promise<Candidate[]>;
}

function readAll(models: KnowledgeModels, owner: string, ids: readonly string[]): Promise<Candidate[]> {
  const filter = { documentId: { $in: [...ids] }, owner };
  return read(models, filter, maxOfFiles);
}

/**
 * Looks up the rarest words first. Never a conjunction of two words: the store would read every passage with the rarer one, however many
 * there are.
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
  // Only ids: many are found by several words, and most of their rows are cached. The first collection apart, so that it does not fill the limits.
  const looks: Promise<readonly string[]>[] = [];
  for (const owners of readable.length > 0 ? [[''], readable] : [['']]) {
    if (rare.length > 0) looks.push(reads.findIds(owners, marked(rare), maxOfRare));
    for (const mark of keyMarks)
      for (const { term } of mark === '^' ? common : common.slice(0, 2))
        looks.push(reads.findIds(owners, [mark + term], maxOfMark));
  }
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
  // The frequency of the question's own word, or of its regional counterparts if no passage says it.
  const passages = own > 0 ? own : Math.max(...lookups.map((one) => one.passages));
  return { ...unit, lookups, passages, weight: unit.share * rarity(total, passages) };
}

/** A word in at most this many passages is looked up with the nearest ones by their vectors. */
const maxOfFewPassages = 5;
const maxNearWords = 4;
/** What a passage says by a near word, compared with the cosine: never half of the word, from which on it counts as said. */
const nearStrength = 0.5;

/** The units with words that mean nearly the same, and these with their weights, by rarity and cosine. Names have none. */
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
  const { countOf } = await count([...new Set(terms)]);
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

/** The unit's own words and those near it. */
export const waysOf = ({ groups, near = [] }: Pick<CountedUnit, 'groups' | 'near'>) => [...groups, ...near];

const isChinese = /\p{Script=Han}/u;

function rarestOf(terms: readonly string[], countOf: (term: string) => number) {
  const counts = terms.map((term) => ({ term, passages: countOf(term) }));
  return counts.reduce((least, one) => (one.passages < least.passages ? one : least));
}

/** Private passages and pairs across words are not in the counts: the candidates give a lower bound of a word's frequency. */
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
