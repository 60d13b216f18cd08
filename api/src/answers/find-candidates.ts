import type { KnowledgeModels } from '../models/knowledge-models.ts';
import type { KnowledgePassage } from '../models/passage.ts';
import { termCountId } from '../models/term-count.ts';
import type { AnalysedQuestion, QuestionUnit } from './analyse-question.ts';
import { handbookScope } from './index-handbook.ts';
import { mendTypos } from './mend-typos.ts';
import { headingMark } from './passage-terms.ts';

/** What ranking needs of a passage; its text is read for the few that win. */
export type Candidate = Pick<
  KnowledgePassage,
  '_id' | 'owner' | 'documentId' | 'heading' | 'language' | 'weights' | 'length'
>;

export interface CountedUnit extends QuestionUnit {
  /** Passages that have the commonest of its terms; 0: the knowledge base never says it. */
  passages: number;
  /** Robertson's inverse document frequency, times `share`. */
  weight: number;
}

export interface Candidates {
  units: CountedUnit[];
  /** Number of passages that could be found at all. */
  total: number;
  found: Candidate[];
}

export interface KnowledgeScope {
  owner: string;
  /** The edition of the handbook that this process indexed. */
  edition: string;
}

/** Words in at most so many passages are looked up alone; commoner ones by where they stand in headings. */
const rare = 150;
/** Rare words are looked up until they may have found so many. */
const mostByRare = 240;
const fields = { owner: 1, documentId: 1, heading: 1, language: 1, weights: 1, length: 1 } as const;

/**
 * The passages that may answer a question: shared ones and the owner's own. At most about 500 are read, however many there are,
 * each by index entries of its rarest words.
 */
export async function findCandidates(
  models: KnowledgeModels,
  question: AnalysedQuestion,
  scope: KnowledgeScope,
): Promise<Candidates> {
  const counted = await countUnits(models, question.units, scope);
  const { total, ownsPassages } = counted;
  const units = await mendTypos(models, counted.units, total, handbookScope(scope.edition));
  const owners = ownsPassages ? ['', scope.owner] : [''];
  const known = units
    .filter(({ passages }) => passages > 0)
    .sort((one, other) => one.passages - other.passages);
  const found = new Map<string, Candidate>();
  for (const filter of lookUps(known)) {
    if (found.size >= mostByRare) break;
    for (const owner of owners) {
      const passages = await models.passages
        .find({ owner, ...filter }, fields)
        .limit(mostByRare)
        .lean();
      for (const passage of passages) found.set(passage._id, passage);
    }
  }
  return { units, total, found: [...found.values()] };
}

interface TermFilter {
  terms: { $in: string[] };
}

/**
 * From the rarest words to the commonest, so that the budget is spent where it tells most. Common words are looked up where they
 * stand in headings first. Never two words at once: the store would read every passage of the rarer one, however many.
 */
function* lookUps(known: readonly CountedUnit[]): Generator<TermFilter> {
  const few: CountedUnit[] = [];
  let expected = 0;
  for (const unit of known) {
    expected += unit.passages;
    if (unit.passages <= rare && (few.length === 0 || expected <= mostByRare)) few.push(unit);
  }
  if (few.length > 0) yield { terms: { $in: few.flatMap(({ terms }) => terms) } };
  const many = known.filter((unit) => !few.includes(unit)).slice(0, 3);
  for (const { terms } of many) yield { terms: { $in: terms.map((term) => headingMark + term) } };
  if (many.length > 0) yield { terms: { $in: many[0]!.terms } };
}

async function countUnits(models: KnowledgeModels, units: readonly QuestionUnit[], scope: KnowledgeScope) {
  const scopes = [handbookScope(scope.edition), 'shared', ...(scope.owner ? [scope.owner] : [])];
  const terms = [...new Set(['', ...units.flatMap((unit) => unit.terms)])];
  const ids = scopes.flatMap((name) => terms.map((term) => termCountId(name, term)));
  const rows = await models.termCounts.find({ _id: { $in: ids } }).lean();
  const counts = new Map(rows.map(({ _id, passages }) => [_id, passages]));
  const countOf = (term: string) =>
    scopes.reduce((sum, name) => sum + (counts.get(termCountId(name, term)) ?? 0), 0);
  const total = countOf('');
  const counted = units.map((unit): CountedUnit => {
    const passages = Math.max(...unit.terms.map(countOf));
    return { ...unit, passages, weight: unit.share * rarity(total, passages) };
  });
  return { units: counted, total, ownsPassages: (counts.get(termCountId(scope.owner, '')) ?? 0) > 0 };
}

export function rarity(total: number, passages: number): number {
  return Math.log(1 + (total - Math.min(passages, total) + 0.5) / (passages + 0.5));
}
