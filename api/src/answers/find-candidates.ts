import type { FindablePassage } from '../models/findable.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { type TermCount, termCountId } from '../models/term-count.ts';
import type { AnalysedQuestion, QuestionUnit } from './analyse-question.ts';
import { handbookScope } from './index-handbook.ts';
import { mendTypos } from './mend-typos.ts';
import { hashOf, placesIn } from './packed-terms.ts';
import { keyMarks } from './passage-terms.ts';
import { countingId, sharedScope } from './shared-counts.ts';

/** What ranking needs of a passage; its text is read for the few that win. */
export type Candidate = Omit<FindablePassage, 'terms'>;

export interface CountedUnit extends QuestionUnit {
  /** Passages that have the commonest of its terms; 0: the knowledge base never says it. */
  passages: number;
  /** Robertson's inverse document frequency, times `share`. */
  weight: number;
}

export interface Candidates {
  units: CountedUnit[];
  /** Number of passages that could be found at all, private ones aside. */
  total: number;
  found: Candidate[];
}

export interface KnowledgeScope {
  owner: string;
  /** The edition of the handbook that this process indexed. */
  edition: string;
  /** Where given, only passages of these documents of the owner's are looked at, and all of them. */
  documentIds?: readonly string[];
}

/** Words in at most so many passages are looked up alone; commoner ones by their marks. */
const rare = 150;
const mostByRare = 240;
const mostByMark = 80;
const mostCommon = 4;
const mostPrivate = 200;
const mostOfFiles = 2000;

const fields = {
  owner: 1,
  documentId: 1,
  edition: 1,
  language: 1,
  length: 1,
  weights: 1,
} as const;

/**
 * The passages that may answer a question: shared ones and the owner's own. At most about 1,000 are read, however many there are,
 * each by index entries of its rarest words. What is looked at of each is a few hundred bytes to some thousand.
 */
export async function findCandidates(
  models: KnowledgeModels,
  question: AnalysedQuestion,
  scope: KnowledgeScope,
): Promise<Candidates> {
  const counted = await countUnits(models, question.units, scope);
  const { total, scopes } = counted;
  const units = await mendTypos(models, counted.units, total, scopes);
  const passages = scope.documentIds
    ? await readAll(models, scope.owner, scope.documentIds)
    : await lookUp(models, units, scope.owner);
  const found = passages.filter(({ edition }) => edition === '' || edition === scope.edition);
  return { units: recounted(units, total, found), total, found };
}

interface Rows {
  toArray(): Promise<Candidate[]>;
}

function read(models: KnowledgeModels, filter: object, limit: number): Promise<Candidate[]> {
  // The driver's own: nothing is cast, and weights come as plain bytes.
  const rows = models.findable.collection.find(filter, { projection: fields, limit, promoteBuffers: true });
  return (rows as unknown as Rows).toArray();
}

function readAll(models: KnowledgeModels, owner: string, ids: readonly string[]): Promise<Candidate[]> {
  const filter = { documentId: { $in: [...ids] }, owner: { $in: ['', owner] } };
  return read(models, filter, mostOfFiles);
}

/**
 * From the rarest words to the commonest, so that what is read tells most. Never two words at once: the store would read
 * every passage of the rarer one, however many.
 */
async function lookUp(
  models: KnowledgeModels,
  units: readonly CountedUnit[],
  owner: string,
): Promise<Candidate[]> {
  const known = units.toSorted((one, other) => one.passages - other.passages);
  const few: CountedUnit[] = [];
  let expected = 0;
  for (const unit of known) {
    expected += unit.passages;
    if (unit.passages <= rare && (few.length === 0 || expected <= mostByRare)) few.push(unit);
  }
  const many = known.filter((unit) => !few.includes(unit)).slice(0, mostCommon);
  const looks = [read(models, { owner: '', terms: { $in: marked(few) } }, mostByRare)];
  for (const mark of keyMarks)
    for (const unit of mark === '^' ? many : many.slice(0, 2))
      looks.push(
        read(models, { owner: '', terms: { $in: unit.terms.map((term) => mark + term) } }, mostByMark),
      );
  if (owner !== '') looks.push(read(models, { owner, terms: { $in: marked(units) } }, mostPrivate));
  const found = new Map<string, Candidate>();
  for (const passages of await Promise.all(looks)) {
    for (const passage of passages) found.set(passage._id, passage);
  }
  return [...found.values()];
}

function marked(units: readonly CountedUnit[]): string[] {
  return units.flatMap(({ terms }) => terms.flatMap((term) => keyMarks.map((mark) => mark + term)));
}

let counting = 0;

async function countUnits(models: KnowledgeModels, units: readonly QuestionUnit[], scope: KnowledgeScope) {
  const terms = [...new Set(['', ...units.flatMap((unit) => unit.terms)])];
  const read = () => {
    const scopes = [handbookScope(scope.edition), sharedScope(counting)];
    const ids = [countingId, ...scopes.flatMap((name) => terms.map((term) => termCountId(name, term)))];
    return models.termCounts.collection.find({ _id: { $in: ids } } as never).toArray() as unknown as Promise<
      TermCount[]
    >;
  };
  let rows = await read();
  const inForce = rows.find(({ _id }) => _id === countingId)?.passages ?? 0;
  if (inForce !== counting) {
    counting = inForce;
    rows = await read();
  }
  const scopes = [handbookScope(scope.edition), sharedScope(counting)];
  const counts = new Map(rows.map(({ _id, passages }) => [_id, passages]));
  const countOf = (term: string) =>
    scopes.reduce((sum, name) => sum + Math.max(0, counts.get(termCountId(name, term)) ?? 0), 0);
  const total = countOf('');
  const counted = units.map((unit): CountedUnit => {
    const passages = Math.max(...unit.terms.map(countOf));
    return { ...unit, passages, weight: unit.share * rarity(total, passages) };
  });
  return { units: counted, total, scopes };
}

/** Private passages and pairs across words are not counted: what was found says a word at least so often. */
function recounted(units: readonly CountedUnit[], total: number, found: readonly Candidate[]): CountedUnit[] {
  return units.map((unit) => {
    const hashes = unit.terms.map(hashOf);
    const least = found.filter(({ weights }) => hashes.some((hash) => placesIn(weights, hash) > 0)).length;
    if (least <= unit.passages) return unit;
    return { ...unit, passages: least, weight: unit.share * rarity(Math.max(total, found.length), least) };
  });
}

export function rarity(total: number, passages: number): number {
  return Math.log(1 + (total - Math.min(passages, total) + 0.5) / (passages + 0.5));
}
