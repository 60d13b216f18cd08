import type { Language } from '../contract/language.ts';
import { maxTimeMS } from '../store/query-limit.ts';
import { type AnalysedQuestion, analyseQuestion, type QuestionUnit } from './analyse-question.ts';
import { correctSpelling } from './correct-spelling.ts';
import type { Candidate } from './findable.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import { hashOf, placesIn } from './packed-terms.ts';
import { keyMarks, wordPairs } from './passage-terms.ts';
import { candidateFields, type SharedTermCounts, sharedReadsOf } from './shared-reads.ts';

export interface CountedUnit extends QuestionUnit {
  /** Passages that have the commonest of its terms; 0: the knowledge base never says it. */
  passages: number;
  /** Robertson's inverse document frequency, times `share`. */
  weight: number;
  /** The rarest term of each way to say it, with the number of passages that have it. */
  looked: { term: string; passages: number }[];
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
  /** Number of passages that could be found at all, private ones aside. */
  total: number;
  found: Candidate[];
}

/** What can be left out of retrieval to measure what it contributes. */
export type Stage = (typeof stages)[number];
export const stages = [
  'spelling',
  'regional',
  'characters',
  'document',
  'words',
  'places',
  'handbook',
] as const;

export interface KnowledgeScope {
  owner: string;
  /** The edition of the handbook that this process indexed. */
  edition: string;
  /** Where given, only passages of these documents of the owner's are looked at, and all of them. */
  documentIds?: readonly string[];
  /** A document that is as though it were not there. */
  withoutDocument?: string;
  /** Stages that are left out, to measure what they contribute. */
  without?: ReadonlySet<Stage>;
}

/** Words in at most so many passages are looked up alone; commoner ones by their marks. */
const rare = 150;
const mostByRare = 240;
const mostByMark = 80;
const mostCommon = 4;
const mostPrivate = 200;
const mostOfFiles = 2000;
const mostPairs = 40;

/**
 * The passages that may answer a question: shared ones and the owner's own. At most about 1,000 are read, however many there are,
 * each by index entries of its rarest words. What is looked at of each is a few hundred bytes to some thousand. A question with
 * misspelt words is looked up again with the words that were meant.
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

/** Ids of passages that are candidates too, whatever words they say. */
type MorePassages = Promise<readonly string[] | null>;

export interface AskedQuestion {
  text: string;
  language: Language;
}

async function findFor(
  models: KnowledgeModels,
  { text, language }: AskedQuestion,
  scope: KnowledgeScope,
  more?: MorePassages,
): Promise<Candidates & { counts: SharedTermCounts }> {
  // A follow-up begins with what was asked before, perhaps in another language: the question's own decides.
  const question = { ...analyseQuestion(text, language), language };
  const { units: all, words, characters } = question;
  const units = scope.without?.has('regional') ? all.map(withoutRegions) : all;
  const terms = [...units.flatMap(({ groups }) => groups.flatMap((group) => group.terms)), ...words];
  const pairs = [...new Set(wordPairs(text))].slice(0, mostPairs);
  const counts = await sharedReadsOf(models).countTerms(scope.edition, [
    ...new Set(['', ...terms, ...characters, ...pairs]),
  ]);
  const { countOf } = counts;
  const total = countOf('');
  const counted = units.map((unit) => countUnit(unit, countOf, total));
  const countPair = (term: string) => ({ term, passages: countOf(term), weight: 0 });
  const passages = scope.documentIds
    ? await readAll(models, scope.owner, scope.documentIds)
    : await lookUp(
        models,
        counted,
        pairs.map(countPair).filter(({ passages }) => passages > 0),
        scope.owner,
      );
  const others = await readOthers(models, await more, passages, scope.owner);
  const found = [...passages, ...others].filter(
    ({ edition, documentId }) =>
      (edition === '' || edition === scope.edition) && documentId !== scope.withoutDocument,
  );
  const weigh = (term: string) => ({ term, weight: rarity(total, countOf(term)) });
  return {
    question,
    text,
    units: recounted(counted, total, found),
    words: words.map(weigh),
    characters: characters.map(weigh),
    total,
    found,
    counts,
  };
}

function withoutRegions(unit: QuestionUnit): QuestionUnit {
  const [own] = unit.groups;
  return { ...unit, terms: own!.terms, groups: [own!] };
}

function saysAll({ weights }: Candidate, hashes: readonly number[]): boolean {
  return hashes.every((hash) => placesIn(weights, hash) > 0);
}

function read(models: KnowledgeModels, filter: object, limit: number): Promise<Candidate[]> {
  // The driver's own: nothing is cast, and weights come as plain bytes.
  const options = { projection: candidateFields, limit, batchSize: limit, promoteBuffers: true, maxTimeMS };
  return models.findable.collection.find(filter, options).toArray() as unknown as Promise<Candidate[]>;
}

/** Those of `ids` that are not among `known`: shared ones, and the owner's own. */
async function readOthers(
  models: KnowledgeModels,
  ids: readonly string[] | null | undefined,
  known: readonly Candidate[],
  owner: string,
): Promise<Candidate[]> {
  const all = new Set(known.map(({ _id }) => _id));
  const missing = (ids ?? []).filter((id) => !all.has(id));
  if (missing.length === 0) return [];
  return read(models, { _id: { $in: missing }, owner: { $in: ['', owner] } }, missing.length);
}

function readAll(models: KnowledgeModels, owner: string, ids: readonly string[]): Promise<Candidate[]> {
  const filter = { documentId: { $in: [...ids] }, owner };
  return read(models, filter, mostOfFiles);
}

/**
 * From the rarest words to the commonest, so that what is read tells most. Never two words at once: the store would read
 * every passage of the rarer one, however many.
 */
async function lookUp(
  models: KnowledgeModels,
  units: readonly CountedUnit[],
  pairs: readonly { term: string; passages: number; weight: number }[],
  owner: string,
): Promise<Candidate[]> {
  const looked = units
    .flatMap((unit) => unit.looked.map((look) => ({ ...look, weight: unit.weight })))
    .concat(pairs)
    .filter(({ term }, at, all) => all.findIndex((other) => other.term === term) === at)
    .sort((one, other) => one.passages - other.passages);
  const few: string[] = [];
  let expected = 0;
  for (const { term, passages } of looked) {
    expected += passages;
    if (passages <= rare && (few.length === 0 || expected <= mostByRare)) few.push(term);
  }
  const many = looked
    .filter(({ term }) => !few.includes(term))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, mostCommon);
  const reads = sharedReadsOf(models);
  // Ids alone: many are found by several words, and most of the rows behind them were read before.
  const looks = few.length > 0 ? [reads.findIds(marked(few), mostByRare)] : [];
  for (const mark of keyMarks)
    for (const { term } of mark === '^' ? many : many.slice(0, 2))
      looks.push(reads.findIds([mark + term], mostByMark));
  const all = looked.map(({ term }) => term);
  const [own, ...ids] = await Promise.all([
    owner === '' ? [] : read(models, { owner, terms: { $in: marked(all) } }, mostPrivate),
    ...looks,
  ]);
  const shared = await reads.readCandidates([...new Set(ids.flat())]);
  return [...shared, ...own];
}

function marked(terms: readonly string[]): string[] {
  return terms.flatMap((term) => keyMarks.map((mark) => mark + term));
}

function countUnit(unit: QuestionUnit, countOf: (term: string) => number, total: number): CountedUnit {
  const looked = unit.groups.map(({ terms }) => rarestOf(terms, countOf));
  const own = looked[0]!.passages;
  // A unit counts as its own word does where that is said anywhere, else as what means the same.
  const passages = own > 0 ? own : Math.max(...looked.map((look) => look.passages));
  return { ...unit, looked, passages, weight: unit.share * rarity(total, passages) };
}

function rarestOf(terms: readonly string[], countOf: (term: string) => number) {
  const counts = terms.map((term) => ({ term, passages: countOf(term) }));
  return counts.reduce((least, one) => (one.passages < least.passages ? one : least));
}

/** Private passages and pairs across words are not counted: what was found says a word at least so often. */
function recounted(units: readonly CountedUnit[], total: number, found: readonly Candidate[]): CountedUnit[] {
  return units.map((unit) => {
    if (unit.passages > rare) return unit;
    const groups = unit.groups.map(({ terms }) => terms.map(hashOf));
    const least = found.filter((one) => groups.some((hashes) => saysAll(one, hashes))).length;
    if (least <= unit.passages) return unit;
    return { ...unit, passages: least, weight: unit.share * rarity(Math.max(total, found.length), least) };
  });
}

export function rarity(total: number, passages: number): number {
  return Math.log(1 + (total - Math.min(passages, total) + 0.5) / (passages + 0.5));
}
