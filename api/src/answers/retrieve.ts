import type { Language } from '../contract.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import type { KnowledgePassage } from '../models/passage.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import { beyondEnough } from './enough.ts';
import { besidesTopic, type Evidence, evidenceOf } from './evidence.ts';
import type { PassageText } from './extract-answer.ts';
import { type CountedUnit, findCandidates, type KnowledgeScope } from './find-candidates.ts';
import { asksForOtherRow } from './other-row.ts';
import { collapse, mostRanked, type RankedPassage, rank } from './rank.ts';
import { type ReadPassage, readClosely } from './read-closely.ts';
import { sharedReadsOf } from './shared-reads.ts';

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
  /** The question with its misspelt words mended. */
  text: string;
  question: AnalysedQuestion;
  /** By how much the odds that the best passage answers are beyond what is enough. */
  sureness: number;
  /** What that is judged by; null where nothing was found. */
  evidence: Evidence | null;
  units: CountedUnit[];
  /** The passages that support an answer, the best first; empty when none does. */
  support: Support[];
  /** The best passages, whether they support an answer or not. */
  nearestPassages: PassageText[];
  /** Headings of the nearest passages in the question's language, each once, the nearest first. */
  nearest: string[];
  explanation: Explanation;
}

const byPlain = (one: RankedPassage, other: RankedPassage) => other.plain - one.plain;

/** Reciprocal rank fusion (Cormack et al., 2009): ranks near the top count most, more so the smaller this is. */
const rankOffset = 5;
/** How much the ranking by all words counts beside the close reading. */
const shareOfWords = 0.5;

/** Orders passages that were read closely by that and by BM25 over every word: what both put high comes first. */
function fuse(closest: readonly ReadPassage[]): ReadPassage[] {
  const ranks = new Map([...closest].sort(byPlain).map((one, at) => [one, at]));
  const fused = new Map(
    closest.map((one, at) => [
      one,
      1 / (rankOffset + at + 1) + shareOfWords / (rankOffset + ranks.get(one)! + 1),
    ]),
  );
  return [...closest].sort((one, other) => fused.get(other)! - fused.get(one)!);
}

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
  const candidates = await findCandidates(models, { text, language }, scope);
  const { question } = candidates;
  const rated = rank(question, candidates);
  const byUnits = collapse(rated.slice(0, mostRanked)).slice(0, mostRead);
  const byWords = [...rated].sort(byPlain).slice(0, mostRead);
  const likely = await standing(models, scope, collapse([...new Set([...byUnits, ...byWords])]));
  const texts = await readTexts(models, likely);
  const close = fuse(readClosely(candidates.text, question, candidates.units, likely, texts));
  const asked = { text: candidates.text, question, units: candidates.units };
  const weigh = (one: ReadPassage) => {
    const next = close.find((other) => other !== one)?.score ?? 0;
    const lead = Math.min(next, one.score);
    return scope.documentIds ? evidenceOf(...besidesTopic(one, asked), lead) : evidenceOf(one, asked, lead);
  };
  const judge = (one: ReadPassage) => {
    const source = one.candidate.edition === '' ? 'shared' : 'handbook';
    return beyondEnough(weigh(one), scope.documentIds ? 'file' : source);
  };
  const supports = (one: ReadPassage) => judge(one) >= 0;
  const ranked = preferOwnLanguage(handbookLast(close, judge), question.language, supports);
  const sureness = ranked[0] === undefined ? Number.NEGATIVE_INFINITY : judge(ranked[0]);
  const isLacking = asksForOtherRow(
    ranked.map(({ passage }) => passage),
    candidates.units,
  );
  const answers = sureness >= 0 && !isLacking;
  const taken = answers
    ? ranked.filter((one) => one.score >= ranked[0]!.score * besideBest && supports(one)).slice(0, most)
    : [];
  return {
    text: candidates.text,
    question,
    sureness,
    evidence: ranked[0] === undefined ? null : weigh(ranked[0]),
    units: candidates.units,
    support: taken.map(({ passage, missing }) => ({ passage, missing })),
    nearestPassages: ranked.slice(0, most).map(({ passage }) => passage),
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
        heading: one.passage.heading,
        title: one.passage.title,
        place: one.passage.place,
        score: one.score,
        coverage: one.coverage,
        headingCoverage: one.headingCoverage,
        likeness: one.likeness,
        missing: one.missing,
        taken: taken.includes(one),
      })),
      verdict: answers ? 'answered' : ranked.length > 0 ? 'weak' : 'nothing',
    },
  };
}

/** Private passages count only while their document stands: it may be about to be erased. */
async function standing(
  models: KnowledgeModels,
  { owner }: KnowledgeScope,
  likely: RankedPassage[],
): Promise<RankedPassage[]> {
  const ids = new Set(
    likely.flatMap(({ candidate }) => (candidate.owner === '' ? [] : [candidate.documentId])),
  );
  if (ids.size === 0) return likely;
  const documents = await models.documents
    .find({ _id: { $in: [...ids] }, owner, hidden: { $ne: true } }, { _id: 1 })
    .lean();
  const stand = new Set(documents.map(({ _id }) => _id));
  return likely.filter(({ candidate }) => candidate.owner === '' || stand.has(candidate.documentId));
}

/** Log odds by which the handbook has to be surer than the desk's own documents. */
const handbookLead = 1;

/**
 * The product's handbook steps back behind what the desk's own documents say: it comes first only where it is enough to answer by, and
 * clearly more so than they are.
 */
function handbookLast(ranked: ReadPassage[], judge: (one: ReadPassage) => number): ReadPassage[] {
  const own = ranked.filter(({ candidate }) => candidate.edition === '');
  if (own.length === 0 || own.length === ranked.length) return ranked;
  const handbook = ranked.filter(({ candidate }) => candidate.edition !== '');
  const surest = Math.max(...own.slice(0, 5).map(judge));
  const isHandbooks = judge(handbook[0]!) >= Math.max(0, surest + handbookLead);
  return isHandbooks ? [...handbook, ...own] : [...own, ...handbook];
}

/** A passage in the question's language goes before a better one in the other from this share of its score on. */
const nearlyAsGood = 0.8;

/** Whoever asks in Chinese reads an answer in Chinese where there is one that is nearly as good. */
function preferOwnLanguage(
  ranked: ReadPassage[],
  language: Language,
  supports: (one: ReadPassage) => boolean,
): ReadPassage[] {
  const [best] = ranked;
  if (!best || best.candidate.language === language) return ranked;
  const own = ranked.find(
    (one) => one.candidate.language === language && one.score >= best.score * nearlyAsGood && supports(one),
  );
  return own ? [own, ...ranked.filter((one) => one !== own)] : ranked;
}

/** So many of the best are read. */
const mostRead = 20;

async function readTexts(
  models: KnowledgeModels,
  likely: readonly RankedPassage[],
): Promise<Map<string, KnowledgePassage>> {
  const idsOf = (some: readonly RankedPassage[]) => some.map(({ candidate }) => candidate._id);
  const isShared = ({ candidate }: RankedPassage) => candidate.owner === '';
  const own = likely.filter((one) => !isShared(one));
  const [shared, found] = await Promise.all([
    sharedReadsOf(models).readPassages(idsOf(likely.filter(isShared))),
    own.length === 0 ? [] : models.passages.find({ _id: { $in: idsOf(own) } }).lean(),
  ]);
  return new Map([...shared, ...found].map((passage) => [passage._id, passage]));
}

function nearestHeadings(ranked: readonly ReadPassage[], question: AnalysedQuestion): string[] {
  const headings = ranked
    .filter(({ candidate }) => candidate.language === question.language)
    .map(({ passage }) => passage.heading)
    .filter((heading) => heading !== '');
  return [...new Set(headings)];
}
