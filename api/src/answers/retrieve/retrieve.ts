import type { Outcome } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import type { QuestionMeaning } from '../embeddings/open-embeddings.ts';
import { collectionOf, isShared } from '../index/document.ts';
import type { Candidate } from '../index/findable.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { abbreviationsIn } from './abbreviations.ts';
import {
  type Evidence,
  evidenceOf,
  isContent,
  marginOf,
  nearnessTo,
  rateNearness,
  wholeSayer,
  wordsSaid,
} from './answerability.ts';
import { lacksPhoneOrMoney } from './asked-values.ts';
import {
  type Candidates,
  type CountedUnit,
  findCandidates,
  type KnowledgeScope,
  type Stage,
  sharedOwners,
} from './find-candidates.ts';
import { amountsIn } from './intervals.ts';
import { questionKey } from './question-key.ts';
import {
  coverageOf,
  minSaid,
  orderBy,
  orderBySum,
  type RatedPassage,
  rateCandidates,
  type ScoredPassage,
  shareOf,
  withFirst,
} from './rank.ts';
import { type ReadPassage, readClosely } from './read-closely.ts';
import type { Reranker } from './reranker.ts';
import { sharedReadsOf } from './shared-reads.ts';
import { compileSynonyms, eitherOf, noSynonyms } from './synonyms.ts';

/** How an answer was found, stored for the editors of the knowledge base. */
export interface Explanation {
  /** The units of the question that are shown to people. */
  units: CountedUnit[];
  /** Number of rated passages. */
  candidates: number;
  /** Number of passages in the index, without private ones. */
  total: number;
  ranked: Array<{
    passageId: string;
    heading: string;
    title: string;
    place: string;
    owner: string;
    /** Score by words as a share of the best one, 0–1. */
    score: number;
    /** Share of the question that the passage contains, 0–1. */
    coverage: number;
    /** Units of the question that it does not say. */
    missing: string[];
  }>;
  verdict: 'answered' | 'weak' | 'nothing';
}

export interface Retrieval {
  /** The question with its spelling corrected. */
  text: string;
  /** Whether the best passage answers the question, or is only related to it. */
  outcome: Outcome;
  /** Whether the question is the best passage's heading, or another way to ask for it, word for word. */
  isHeading: boolean;
  /** Log odds that the best passage answers, minus the threshold; see `marginOf`. */
  margin: number;
  /** Features that `margin` is computed from; null if nothing was found. */
  evidence: Evidence | null;
  units: CountedUnit[];
  /** The best passages, best first, whether they answer or not. */
  passages: KnowledgePassage[];
  /** The passages for a model: `passages`, perhaps fused with those of another query. */
  forModel: KnowledgePassage[];
  /** Headings to suggest: the three best ones in the question's language that share a word with it. */
  nearest: string[];
  /** Ids of the collections that the ranked passages come from, without the first one. */
  nearestOf: string[];
  explanation: Explanation;
}

/** Maximum number of passages for an answer or a model. */
export const maxPassages = 8;
/** Number of the best passages by words whose text is read. */
const maxByWords = 30;
/** Number of the nearest passages by embedding whose text is read; more by the better ones of a model. */
const maxByMeaning = { model: 30, words: 12 };
/** Weight of single Chinese characters compared with words and pairs. */
const weightOfCharacters = 0.5;
/** Weight of the best sentence alone compared with the best one in its context. */
const weightOfBestAlone = 0.5;
/** Weight of an interval that contains an amount of the question. */
const weightOfFit = 0.25;
/** Minimum margin of a passage whose heading is the question. */
const marginOfHeading = 2;
/** Minimum margin of a related passage. Few questions are about the handbook's subject, the desk. */
const relatedMargins = { shared: -3.2, handbook: -0.5 };
/** Minimum cosine (`nearestPlace`) of a related passage that contains no word of the question. */
const minNearest = 0.25;

/**
 * Finds the passages that answer `text`, and judges whether they do:
 *
 * 1. normalise: folding, words, regional words, spelling; find candidates by the rarest words
 *    (`findCandidates`);
 * 2. rank by words (BM25F), weighted by the share of the question that the document contains;
 * 3. rank the best of these, and the nearest passages by embedding, by their best sentence, item or row and
 *    by cosine;
 * 4. compare the best of these with the question word by word;
 * 5. put the handbook after the desk's own documents;
 * 6. judge the first passage.
 *
 * A reranker reorders the best passages after step 4, and replaces the judgement of step 6.
 *
 * @param asked embedding of the question; without it passages are found only by words.
 */
export async function retrieve(
  models: KnowledgeModels,
  text: string,
  language: Language,
  scope: KnowledgeScope,
  asked?: QuestionMeaning,
  reranker?: Reranker,
): Promise<Retrieval> {
  const isFile = scope.documentIds !== undefined;
  const isOn = (stage: Stage) => !scope.without?.has(stage);
  const found = await scoreByTwo(models, text, language, scope, asked);
  const { candidates, summed, score, isHeading, isOperations } = found;
  const { units } = candidates;
  const byOurselves = summed ? nearestFirst(summed, candidates) : found.byScore;
  const relevances = await rerank(reranker, found.text, byOurselves);
  const sorted = relevances
    ? [
        ...orderBy([...relevances.keys()], (one) => relevances.get(one)!),
        ...byOurselves.slice(relevances.size),
      ]
    : byOurselves;
  const topScore = Math.max(...sorted.map(score)) || 1;

  const evidences = new Map<ReadPassage, Evidence | null>();
  const judge = (first: ReadPassage | undefined) => {
    if (!first) return { evidence: null, margin: Number.NEGATIVE_INFINITY };
    const evidence = evidences.get(first) ?? evidenceOf(first, candidates, byOurselves);
    evidences.set(first, evidence);
    const source = isFile ? 'file' : isOfHandbook(first) ? 'handbook' : 'shared';
    const margin = relevances?.get(first) ?? marginOf(evidence, source);
    return { evidence, margin: isHeading(first) ? Math.max(margin, marginOfHeading) : margin };
  };
  const inOrder = withFirst(sorted, sorted.slice(0, maxExplained).find(isHeading));
  const ordered = isOn('handbook')
    ? handbookLast(inOrder, isHeading, (first) => judge(first).margin)
    : inOrder;
  const isAnswering = (one: ReadPassage) =>
    isOfHandbook(one) === isOfHandbook(ordered[0]!) && judge(one).margin >= 0;
  // A passage that lacks the kind of value asked for comes after the next one that answers.
  const lacksValue = judge(ordered[0]).evidence?.lacksValue === 1;
  const ranked = lacksValue ? withFirst(ordered, ordered.slice(0, maxOthers).find(isAnswering)) : ordered;
  const { evidence, margin } = judge(ranked[0]);
  const passages = ranked.slice(0, maxPassages).map(({ passage }) => passage);
  const suggestible = ranked.filter((one) => !isOperations(one));
  const isRelated =
    ranked[0] !== undefined &&
    margin >= (isOfHandbook(ranked[0]) ? relatedMargins.handbook : relatedMargins.shared) &&
    (relevances !== null ||
      saysSomething(ranked[0], candidates) ||
      (!isOfHandbook(ranked[0]) && evidence!.nearestPlace >= minNearest));
  const isEnough = isRelated && margin >= 0;
  const outcome = isEnough ? 'answered' : isRelated ? 'related' : 'nothing';
  return {
    text: candidates.text,
    outcome,
    isHeading: ranked[0] !== undefined && isHeading(ranked[0]),
    margin,
    evidence,
    units,
    passages,
    forModel: passages,
    nearest: nearestHeadings(suggestible, language, units),
    nearestOf: collectionsOf(ranked.map(({ candidate }) => candidate)),
    explanation: {
      units: units.filter(isShown),
      candidates: candidates.found.length,
      total: candidates.total,
      ranked: ranked.slice(0, maxExplained).map((one) => ({
        passageId: one.candidate._id,
        heading: one.passage.heading,
        title: one.passage.title,
        place: one.passage.place,
        owner: one.candidate.owner,
        score: score(one) / topScore,
        coverage: shareOf(one.coverage, units),
        missing: units
          .filter((unit, at) => isShown(unit) && one.coverage[at]! < minSaid)
          .map(({ surface }) => surface),
      })),
      verdict: isEnough ? 'answered' : ranked.length > 0 ? 'weak' : 'nothing',
    },
  };
}

/** The passages of a question after steps 1 to 3 of `retrieve`. */
export interface ScoredByTwo {
  /** The question that was looked up: with corrected spelling if its abbreviations were expanded. */
  text: string;
  candidates: Candidates;
  /**
   * The passages that may answer, best first, with the sum of their two scores: by places and by cosine, both
   * standardised. null without vectors, then `byScore` alone counts.
   */
  summed: { one: ReadPassage; sum: number }[] | null;
  /** The same passages by their first score alone. */
  byScore: ReadPassage[];
  score(one: ReadPassage): number;
  isHeading(one: ReadPassage): boolean;
  isOperations(one: ReadPassage): boolean;
}

/** Steps 1 to 3 of `retrieve`, with the same parameters. */
export async function scoreByTwo(
  models: KnowledgeModels,
  text: string,
  language: Language,
  scope: KnowledgeScope,
  asked?: QuestionMeaning,
): Promise<ScoredByTwo> {
  const isFile = scope.documentIds !== undefined;
  const isOn = (stage: Stage) => !scope.without?.has(stage);
  const meaning = isOn('meaning') ? asked : undefined;
  const maxNear = meaning?.isOfModel ? maxByMeaning.model : maxByMeaning.words;
  const near = isFile ? undefined : meaning?.nearest(scope.owner, sharedOwners(scope), maxNear);
  const candidates = await findCandidates(models, { text, language }, scope, near);
  const { units } = candidates;

  const byWords = ({ words, characters, documentShare, languageFactor }: ScoredPassage) =>
    (words + (isOn('characters') ? weightOfCharacters * characters : 0)) *
    languageFactor *
    (isOn('document') ? Math.sqrt(documentShare) : 1);
  const byPlace = (one: ReadPassage) =>
    (one.bestInContext + weightOfBestAlone * one.bestAlone) * byWords(one) * (1 + weightOfFit * one.fit);

  const { scored, withCoverage } = rateCandidates(candidates);
  // A model gets all passages of files, as it judges by itself.
  const hasAnyWord = ({ words, characters }: ScoredPassage) => isFile || words + characters > 0;
  const best = orderBy(scored.filter(hasAnyWord), byWords).slice(0, maxByWords);
  const isNear = new Set(isFile ? await nearestOf(candidates.found, meaning, maxNear) : await near);
  const nearest = scored.filter(({ candidate }) => isNear.has(candidate._id));
  const likely = [...new Set([...best, ...nearest])].map(withCoverage);
  const [all, cosines] = await Promise.all([
    readPassages(models, scope, likely, candidates),
    meaning?.rerank(likely.map(({ candidate }) => candidate._id)),
  ]);
  const texts = all.map(({ passage }) => passage);
  const abbreviations = scope.isExpanded ? [] : abbreviationsIn(units, texts);
  if (abbreviations.length > 0) {
    const synonyms = eitherOf(scope.synonyms ?? noSynonyms, compileSynonyms(abbreviations));
    const inFull = { ...scope, synonyms, isExpanded: true };
    return scoreByTwo(models, candidates.text, language, inFull, asked);
  }
  const key = questionKey(candidates.text);
  const isHeading = ({ passage }: ReadPassage) => passage.ways.some((way) => questionKey(way) === key);
  const isOperations = (one: ReadPassage) =>
    isOfHandbook(one) && scope.operations?.titles.includes(one.passage.title) === true;
  const isElsewhere = asksElsewhere(candidates);
  const different = withoutCopies(all);
  // Visitors of a desk with documents of its own ask about these, and seldom about the product.
  const read =
    isOn('handbook') && candidates.own > 0
      ? await withoutOperations(
          different.filter((one) => !isOfHandbook(one) || isHeading(one) || !isElsewhere(one)),
          (one) => isOperations(one) && !isHeading(one),
          scope,
        )
      : different;

  const score = isOn('places') ? byPlace : byWords;
  const byOneScore = meaning?.isOfModel ? byWords : score;
  return {
    text,
    candidates,
    summed: cosines ? orderBySum(read, [byOneScore, (one) => cosines.get(one.candidate._id)]) : null,
    byScore: orderBy(read.filter(hasAnyWord), score),
    score,
    isHeading,
    isOperations,
  };
}

/** Ids of the collections of these passages, without the first one. */
export function collectionsOf(passages: readonly { owner: string }[]): string[] {
  return [...new Set(passages.flatMap(({ owner }) => collectionOf(owner) ?? []))];
}

/** Number of the best passages that are compared with the question word by word. */
export const maxCompared = 16;
/** Subtracted from the score of passages in another language than the question's. */
const lossOfOtherLanguage = 1;

/** Reorders the best passages by the sum of their score by words and cosine and of their nearness. */
function nearestFirst(
  summed: readonly { one: ReadPassage; sum: number }[],
  candidates: Candidates,
): ReadPassage[] {
  const nearness = nearnessTo(candidates);
  const foreignness = ({ languageFactor }: ReadPassage) => (languageFactor < 1 ? lossOfOtherLanguage : 0);
  const compared = summed
    .slice(0, maxCompared)
    .map(({ one, sum }) => ({ one, score: sum + rateNearness(nearness(one.passage)) - foreignness(one) }));
  return [...compared.sort((one, other) => other.score - one.score), ...summed.slice(maxCompared)].map(
    ({ one }) => one,
  );
}

/** Number of the best passages that are reranked. */
const maxReranked = 30;

/** The log odds of the best passages by a reranker; null without one, or if it failed. */
async function rerank(
  reranker: Reranker | undefined,
  text: string,
  sorted: readonly ReadPassage[],
): Promise<ReadonlyMap<ReadPassage, number> | null> {
  const best = sorted.slice(0, maxReranked);
  const texts = best.map(({ passage: { title, place, tableHead, text: body } }) =>
    [title, place, tableHead, body].filter(Boolean).join('\n'),
  );
  const relevances = (await reranker?.rate(text, texts)) ?? null;
  return relevances && new Map(best.map((one, at) => [one, relevances[at]!]));
}

/** Minimum share of shown units, which excludes pairs of characters across the edge of a word. */
const minShareShown = 0.4;
const isShown = ({ share }: CountedUnit) => share >= minShareShown;
const maxExplained = 10;

/** Whether a passage, or a synonym that it is indexed with, contains a content word of the question. */
function saysSomething({ passage, coverage }: ReadPassage, { text, units }: Candidates): boolean {
  const { words, said } = wordsSaid(passage, { text, units });
  return words === 0 || said > 0 || units.some((unit, at) => isShown(unit) && coverage[at]! >= minSaid);
}

/** Ids of the passages of files that are nearest by embedding. */
async function nearestOf(
  found: readonly Candidate[],
  meaning: QuestionMeaning | undefined,
  most: number,
): Promise<string[]> {
  const cosines = await meaning?.rerank(found.map(({ _id }) => _id));
  const sorted = [...(cosines ?? [])].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, most).map(([id]) => id);
}

/** Number of the best passages among which one that answers is sought if the first one lacks a value. */
const maxOthers = 5;

/** Log odds by which the handbook must be more likely to answer than other documents to come first. */
const handbookLead = 1;

/**
 * Puts the product's handbook after the desk's own documents, unless the question is one of its headings, or
 * its best passage answers and is more likely to than theirs.
 */
function handbookLast(
  ranked: readonly ReadPassage[],
  isHeading: (one: ReadPassage) => boolean,
  marginOf: (first: ReadPassage | undefined) => number,
): readonly ReadPassage[] {
  const own = ranked.filter((one) => !isOfHandbook(one));
  const handbook = ranked.filter(isOfHandbook);
  if (own.length === 0 || handbook.length === 0 || isHeading(ranked[0]!)) return ranked;
  const isHandbookFirst = marginOf(handbook[0]) >= Math.max(0, marginOf(own[0]) + handbookLead);
  return isHandbookFirst ? [...handbook, ...own] : [...own, ...handbook];
}

const isContentUnit = (unit: CountedUnit) => isShown(unit) && isContent(unit.surface);

/** Number of content words of a question that the ways to ask for a handbook section must contain. */
const minInWays = 2;
/** Share of them that the section itself must contain, as single words of its synonyms say little. */
const minShareSaid = 0.5;

/**
 * Returns a function for whether a section of the handbook cannot be what a question is about, on a desk with
 * documents of its own: the section lacks a content word of the question, or the telephone number or price that
 * was asked for; or the question does not contain all
 * words of a way to ask for it, and its text or its headings and ways contain too few of them. Neither is
 * enough alone: its examples are from every trade, and its ways contain synonyms.
 */
function asksElsewhere({ text, units }: Candidates): (section: ReadPassage) => boolean {
  const content = units.flatMap((unit, at) => (isContentUnit(unit) ? [at] : []));
  const saidIn = (coverage: readonly number[]) => content.filter((at) => coverage[at]! >= minSaid).length;
  const isWhole = wholeSayer({ units });
  return ({ passage, coverage }) => {
    if (saidIn(coverage) < content.length || lacksPhoneOrMoney(text, passage.text)) return true;
    if (passage.ways.some(isWhole)) return false;
    const { words, said } = wordsSaid({ ...passage, ways: [] }, { text, units });
    return said < words * minShareSaid || saidIn(coverageOf(passage.ways.join('\n'), units)) < minInWays;
  };
}

/** Leaves out sections that are only for operators, unless the asker is one. */
async function withoutOperations(
  sections: readonly ReadPassage[],
  isOperations: (one: ReadPassage) => boolean,
  { operations }: KnowledgeScope,
): Promise<readonly ReadPassage[]> {
  if (!operations || !sections.some(isOperations) || (await operations.areForAsker())) return sections;
  return sections.filter((one) => !isOperations(one));
}

function isOfHandbook({ candidate }: RatedPassage): boolean {
  return candidate.edition !== '';
}

/** Reads the texts of passages, without private ones of hidden documents, which are being deleted. */
async function readPassages(
  models: KnowledgeModels,
  scope: KnowledgeScope,
  likely: readonly RatedPassage[],
  { units, text }: Candidates,
): Promise<ReadPassage[]> {
  const all = likely.map(({ candidate }) => candidate);
  const own = all.filter(({ owner }) => !isShared(owner));
  const shared = all.filter(({ owner }) => isShared(owner)).map(({ _id }) => _id);
  const found = await Promise.all([
    sharedReadsOf(models).readPassages(shared, sharedOwners(scope)),
    own.length === 0 ? [] : readOwn(models, own, scope),
  ]);
  const passages = new Map(found.flat().map((one) => [one._id, one]));
  const amounts = amountsIn(text);
  return likely.flatMap((one) => {
    const passage = passages.get(one.candidate._id);
    return passage ? [readClosely(one, passage, units, amounts)] : [];
  });
}

async function readOwn(
  models: KnowledgeModels,
  own: readonly Candidate[],
  { owner }: KnowledgeScope,
): Promise<KnowledgePassage[]> {
  const documentIds = [...new Set(own.map(({ documentId }) => documentId))];
  const visible = await models.documents
    .find({ _id: { $in: documentIds }, owner, hidden: { $ne: true } }, { _id: 1 })
    .lean();
  const ids = new Set(visible.map(({ _id }) => _id));
  const readable = own.filter(({ documentId }) => ids.has(documentId)).map(({ _id }) => _id);
  return models.passages.find({ _id: { $in: readable } }).lean();
}

/** Leaves out duplicates of earlier passages, as a document may have been uploaded twice. */
function withoutCopies(read: readonly ReadPassage[]): ReadPassage[] {
  const seen = new Set<string>();
  return read.filter(({ passage: { title, place, text } }) => {
    const key = [title, place, text].join('\n');
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

const maxNearest = 3;

/** Distinct headings in a language that share a specific word with the question, best first. */
function nearestHeadings(
  ranked: readonly ReadPassage[],
  language: Language,
  units: readonly CountedUnit[],
): string[] {
  const isAlike = ({ heading }: KnowledgePassage) =>
    coverageOf(heading, units).some((share, at) => share >= minSaid && isContentUnit(units[at]!));
  const nearest = ranked.filter(({ passage }) => passage.language === language && isAlike(passage));
  return [...new Set(nearest.map(({ passage }) => passage.heading))].slice(0, maxNearest);
}
