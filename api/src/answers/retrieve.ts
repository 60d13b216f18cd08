import type { Language } from '../contract.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { type AnalysedQuestion, analyseQuestion } from './analyse-question.ts';
import type { PassageText } from './extract-answer.ts';
import { type CountedUnit, findCandidates, type KnowledgeScope } from './find-candidates.ts';
import { preferAlike, type Ways } from './prefer-alike.ts';
import { type RankedPassage, rank } from './rank.ts';

/** Why the answer is what it is. Kept with the answer's making, for those who look after the knowledge base. */
export interface Explanation {
  units: Array<Pick<CountedUnit, 'surface' | 'terms' | 'passages' | 'weight'>>;
  /** How many passages were looked at, of how many there are. */
  candidates: number;
  total: number;
  ranked: Array<{
    passageId: string;
    heading: string;
    title: string;
    place: string;
    score: number;
    coverage: number;
    headingCoverage: number;
    likeness: number;
    missing: string[];
    taken: boolean;
  }>;
  verdict: 'answered' | 'weak' | 'nothing';
}

export interface Support {
  passage: PassageText;
  /** What of the question it does not say. */
  missing: string[];
}

export interface Retrieval {
  question: AnalysedQuestion;
  units: CountedUnit[];
  /** The passages that support an answer, the best first; empty when none does. */
  support: Support[];
  /** Headings of the nearest passages in the question's language, each once, the nearest first. */
  nearest: string[];
  explanation: Explanation;
}

/** So much of a question must be said, the less the better the passage fits. Chosen by measurement, see README.md. */
const enough = [
  { score: 2, coverage: 0.55 },
  { score: 3, coverage: 0.5 },
  { score: 5, coverage: 0.42 },
] as const;
/** From this coverage on, a question need not score at all when it is nearly a known one, or says something rare. */
const plenty = { coverage: 0.55, likeness: 0.8, fullCoverage: 0.9, telling: 3 } as const;
/** Passages that score this share of the best one support the answer too. */
const besideBest = 0.75;

/** Finds what the knowledge base says about `text`, and decides whether it is enough to answer by. */
export async function retrieve(
  models: KnowledgeModels,
  text: string,
  language: Language,
  scope: KnowledgeScope,
  most: number,
): Promise<Retrieval> {
  const question = analyseQuestion(text, language);
  const candidates = await findCandidates(models, question, scope);
  const likely = rank(question, candidates);
  const alike = preferAlike(
    text,
    question,
    candidates.units,
    likely,
    await readWays(models, likely.slice(0, mostCompared)),
  );
  const said = candidates.units.reduce((sum, { weight }) => sum + weight, 0);
  const ranked = preferOwnLanguage(alike, question.language, said);
  const isEnough = ranked[0] !== undefined && supports(ranked[0], said);
  const taken = isEnough
    ? ranked.filter((one) => one.score >= ranked[0]!.score * besideBest && supports(one, said)).slice(0, most)
    : [];
  return {
    question,
    units: candidates.units,
    support: await readTexts(models, taken),
    nearest: nearestHeadings(ranked, question),
    explanation: {
      units: candidates.units.map(({ surface, terms, passages, weight }) => ({
        surface,
        terms,
        passages,
        weight,
      })),
      candidates: candidates.found.length,
      total: candidates.total,
      ranked: ranked.slice(0, 10).map((one) => ({
        passageId: one.candidate._id,
        heading: one.known?.heading ?? '',
        title: one.known?.title ?? '',
        place: one.known?.place ?? '',
        score: one.score,
        coverage: one.coverage,
        headingCoverage: one.headingCoverage,
        likeness: one.likeness,
        missing: one.missing,
        taken: taken.includes(one),
      })),
      verdict: isEnough ? 'answered' : ranked.length > 0 ? 'weak' : 'nothing',
    },
  };
}

/**
 * A bare score does not tell: what the passage says of the question must suffice, the rare words most. A question of common words
 * alone has to be nearly one of the ways to ask for the passage.
 */
function supports({ score, coverage, likeness }: RankedPassage, said: number): boolean {
  if (enough.some((level) => score >= level.score && coverage >= level.coverage)) return true;
  const isTelling = coverage >= plenty.fullCoverage && said >= plenty.telling;
  return coverage >= plenty.coverage && (likeness >= plenty.likeness || isTelling);
}

/** A passage in the question's language goes before a better one in the other from this share of its score on. */
const nearlyAsGood = 0.8;

/** Whoever asks in Chinese reads an answer in Chinese where there is one that is nearly as good. */
function preferOwnLanguage(ranked: RankedPassage[], language: Language, said: number): RankedPassage[] {
  const [best] = ranked;
  if (!best || best.candidate.language === language) return ranked;
  const own = ranked.find(
    (one) =>
      one.candidate.language === language && one.score >= best.score * nearlyAsGood && supports(one, said),
  );
  return own ? [own, ...ranked.filter((one) => one !== own)] : ranked;
}

const wayFields = { ways: 1, language: 1, heading: 1, title: 1, place: 1 } as const;

/** So many of the best are compared with the question way by way. */
const mostCompared = 16;

async function readWays(
  models: KnowledgeModels,
  likely: readonly RankedPassage[],
): Promise<Map<string, Ways>> {
  const ids = likely.map(({ candidate }) => candidate._id);
  const found = await models.passages.find({ _id: { $in: ids } }, wayFields).lean();
  return new Map(found.map((passage) => [passage._id, passage]));
}

async function readTexts(models: KnowledgeModels, taken: readonly RankedPassage[]): Promise<Support[]> {
  const ids = taken.map(({ candidate }) => candidate._id);
  const found = await models.passages.find({ _id: { $in: ids } }).lean();
  return taken.flatMap(({ candidate, missing }) => {
    const passage = found.find(({ _id }) => _id === candidate._id);
    return passage ? [{ passage, missing }] : [];
  });
}

function nearestHeadings(ranked: readonly RankedPassage[], question: AnalysedQuestion): string[] {
  const headings = ranked
    .filter(({ candidate }) => candidate.language === question.language)
    .map(({ known }) => known?.heading ?? '')
    .filter((heading) => heading !== '');
  return [...new Set(headings)];
}
