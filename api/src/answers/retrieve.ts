import type { Language } from '../contract.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { type AnalysedQuestion, analyseQuestion } from './analyse-question.ts';
import type { PassageText } from './extract-answer.ts';
import { type CountedUnit, findCandidates, type KnowledgeScope } from './find-candidates.ts';
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
    score: number;
    coverage: number;
    headingCoverage: number;
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

/** Thresholds chosen by measurement, see README.md. */
const thresholds = { coverage: 0.55, score: 2, strongScore: 5, strongCoverage: 0.42, second: 0.75 } as const;

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
  const ranked = rank(question, candidates);
  const isEnough = ranked[0] !== undefined && supports(ranked[0]);
  const taken = isEnough
    ? ranked
        .filter((one) => one.score >= ranked[0]!.score * thresholds.second && supports(one))
        .slice(0, most)
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
        heading: one.candidate.heading,
        score: one.score,
        coverage: one.coverage,
        headingCoverage: one.headingCoverage,
        missing: one.missing,
        taken: taken.includes(one),
      })),
      verdict: isEnough ? 'answered' : ranked.length > 0 ? 'weak' : 'nothing',
    },
  };
}

/** A bare score does not tell: what the passage says of the question must suffice, the rare words most. */
function supports(passage: RankedPassage): boolean {
  const { score, coverage, headingCoverage } = passage;
  if (coverage >= thresholds.coverage && score >= thresholds.score) return true;
  return (
    score >= thresholds.strongScore && Math.max(headingCoverage, coverage - 0.1) >= thresholds.strongCoverage
  );
}

async function readTexts(models: KnowledgeModels, taken: readonly RankedPassage[]): Promise<Support[]> {
  const ids = taken.map(({ candidate }) => candidate._id);
  const found = await models.passages.find({ _id: { $in: ids } }, { terms: 0, weights: 0 }).lean();
  return taken.flatMap(({ candidate, missing }) => {
    const passage = found.find(({ _id }) => _id === candidate._id);
    return passage ? [{ passage, missing }] : [];
  });
}

function nearestHeadings(ranked: readonly RankedPassage[], question: AnalysedQuestion): string[] {
  const headings = ranked
    .filter(({ candidate }) => candidate.heading !== '' && candidate.language === question.language)
    .map(({ candidate }) => candidate.heading);
  return [...new Set(headings)];
}
