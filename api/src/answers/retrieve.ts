import type { Language } from '../contract/language.ts';
import type { AnalysedQuestion } from './analyse-question.ts';
import { beyondEnough, type Evidence, evidenceOf } from './answerability.ts';
import type { QuestionMeaning } from './embeddings/open-embeddings.ts';
import type { PassageText } from './extract-answer.ts';
import { type CountedUnit, findCandidates, type KnowledgeScope, type Stage } from './find-candidates.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import { asksForOtherRow } from './other-row.ts';
import type { KnowledgePassage } from './passage.ts';
import { questionKey } from './question-key.ts';
import { fuse, orderBy, type RatedPassage, rateCandidates, weigh } from './rank.ts';
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
    missing: string[];
  }>;
  verdict: 'answered' | 'weak' | 'nothing';
}

export interface Retrieval {
  /** The question with its spelling corrected. */
  text: string;
  /** Whether the best passage is enough to answer by. */
  isEnough: boolean;
  /** Whether its heading, or another way to ask for it, is the question word for word. */
  isAskedFor: boolean;
  /** By how much the odds that it answers are beyond what is enough. */
  sureness: number;
  /** What that is judged by; null where nothing was found. */
  evidence: Evidence | null;
  units: CountedUnit[];
  /** The passages that say most of the question, the best first, whether they are enough or not. */
  passages: PassageText[];
  /** What a model is given: these, with what was found for the question in another way. */
  forModel: PassageText[];
  /** Headings of the nearest passages in the question's language, each once, the nearest first. */
  nearest: string[];
  explanation: Explanation;
}

/** So many of the best by words are read. */
const mostRead = 30;
/** How much single Chinese characters count beside words and pairs. */
const shareOfCharacters = 0.5;
/** How much a single sentence counts beside one with its neighbours and headings. */
const shareOfPointed = 0.5;
/** So many of the nearest by embeddings are read. */
const mostNear = 30;
/** Log odds beyond what is enough of a passage whose heading is the question. */
const certain = 2;

/**
 * Finds what the knowledge base says about `text`, and decides whether it is enough to answer by:
 *
 * 1. normalise: folded, cut into words, regional words, spelling (`findCandidates`, which also looks up candidates by the rarest words);
 * 2. rank by words (BM25F) and by places (the sentence, item or row that says most), each by how much of the question the document says;
 * 3. fuse the two lists, and with embeddings a third one by what passages mean (reciprocal rank fusion);
 * 4. put the handbook behind the desk's own documents;
 * 5. judge the best five.
 */
export async function retrieve(
  models: KnowledgeModels,
  text: string,
  language: Language,
  scope: KnowledgeScope,
  most: number,
  meaning?: QuestionMeaning,
): Promise<Retrieval> {
  const isFile = scope.documentIds !== undefined;
  const isOn = (stage: Stage) => !scope.without?.has(stage);
  const near = meaning?.nearest(scope, mostNear);
  const candidates = await findCandidates(models, { text, language }, scope, near);
  const { question, units } = candidates;

  const byDocument = ({ documentShare, fit }: RatedPassage) =>
    fit * (isOn('document') ? Math.sqrt(documentShare) : 1);
  const ofWords = ({ words, characters }: RatedPassage) =>
    words + (isOn('characters') ? shareOfCharacters * characters : 0);
  const scoreOfWords = (one: RatedPassage) => ofWords(one) * byDocument(one);
  const scoreOfPlace = (one: ReadPassage) =>
    (one.closeness + shareOfPointed * one.pointed) * scoreOfWords(one);

  const rated = rateCandidates(candidates);
  // Of files everything goes along, for models that judge by themselves.
  const saysAny = ({ words, characters }: RatedPassage) => isFile || words + characters > 0;
  const byWords = orderBy(rated.filter(saysAny), scoreOfWords).slice(0, mostRead);
  const isNear = new Set(await near);
  const likely = [...new Set([...byWords, ...rated.filter(({ candidate }) => isNear.has(candidate._id))])];
  const read = withoutCopies(await readPassages(models, await standing(models, scope, likely), units));

  const saying = read.filter(saysAny);
  const cosines = await meaning?.rerank(read.map(({ candidate }) => candidate._id));
  const meant = read.filter(({ candidate }) => cosines?.has(candidate._id));
  const lists = [
    ...(isOn('words') ? [orderBy(saying, scoreOfWords)] : []),
    ...(isOn('places') ? [orderBy(saying, scoreOfPlace)] : []),
    ...(cosines ? [orderBy(meant, ({ candidate }) => cosines.get(candidate._id)!)] : []),
  ];
  const scores = new Map(fuse(lists).map(({ one, score }) => [one, score]));
  const fused = [...scores.keys()];

  const key = questionKey(candidates.text);
  const isAskedFor = ({ passage }: ReadPassage) => passage.ways.some((way) => questionKey(way) === key);
  const judged = new Map<ReadPassage | undefined, Evidence | null>();
  const evidenceFor = (best: ReadPassage | undefined) => {
    if (!judged.has(best)) judged.set(best, evidenceOf(best, candidates));
    return judged.get(best) ?? null;
  };
  const judge = (some: readonly ReadPassage[]) => {
    const source = some[0]?.candidate.edition === '' ? 'shared' : 'handbook';
    const odds = beyondEnough(evidenceFor(some[0]), isFile ? 'file' : source);
    return some[0] && isAskedFor(some[0]) ? Math.max(odds, certain) : odds;
  };
  const ordered = wordForWordFirst(fused, isAskedFor);
  const ranked = isOn('handbook') ? handbookLast(ordered, judge) : ordered;
  const sureness = judge(ranked);
  const isLacking = asksForOtherRow(
    ranked.map(({ passage }) => passage),
    units,
    candidates.text,
  );
  const isEnough = sureness >= 0 && !isLacking;
  const passages = ranked.slice(0, most).map(({ passage }) => passage);
  const missingOf = ({ said }: ReadPassage) =>
    units.filter(({ share }, at) => share >= shownFrom && said[at]! < isSaid).map(({ surface }) => surface);
  return {
    text: candidates.text,
    isEnough,
    isAskedFor: ranked[0] !== undefined && isAskedFor(ranked[0]),
    sureness,
    evidence: evidenceFor(ranked[0]),
    units,
    passages,
    forModel: passages,
    nearest: nearestHeadings(ranked, question),
    explanation: {
      units: units
        .filter(({ share }) => share >= shownFrom)
        .map(({ surface, terms, passages, weight }) => ({ surface, terms, passages, weight })),
      candidates: candidates.found.length,
      total: candidates.total,
      ranked: ranked.slice(0, mostExplained).map((one) => ({
        passageId: one.candidate._id,
        heading: one.passage.heading,
        title: one.passage.title,
        place: one.passage.place,
        score: scores.get(one)!,
        coverage: shareOf(one.said, units),
        missing: missingOf(one),
      })),
      verdict: isEnough ? 'answered' : ranked.length > 0 ? 'weak' : 'nothing',
    },
  };
}

/** Share of the question's weight that is said. */
function shareOf(said: readonly number[], units: readonly CountedUnit[]): number {
  return weigh(said, units) / (units.reduce((sum, { weight }) => sum + weight, 0) || 1);
}

/** Pairs of characters across the edge of a word are not shown to people. */
const shownFrom = 0.4;
const isSaid = 0.5;
const mostExplained = 10;

/** Private passages count only while their document stands: it may be about to be erased. */
async function standing(
  models: KnowledgeModels,
  { owner }: KnowledgeScope,
  likely: RatedPassage[],
): Promise<RatedPassage[]> {
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

/** A passage whose heading, or another way to ask for it, is the question goes first. */
function wordForWordFirst(
  ranked: readonly ReadPassage[],
  isAskedFor: (one: ReadPassage) => boolean,
): readonly ReadPassage[] {
  const first = ranked.slice(0, mostExplained).find(isAskedFor);
  return first ? [first, ...ranked.filter((one) => one !== first)] : ranked;
}

/** Log odds by which the handbook has to be surer than the desk's own documents. */
const handbookLead = 3;

/**
 * The product's handbook steps back behind what the desk's own documents say: it comes first only where it is enough to answer by, and
 * clearly more so than they are.
 */
function handbookLast(
  ranked: readonly ReadPassage[],
  judge: (some: readonly ReadPassage[]) => number,
): readonly ReadPassage[] {
  const own = ranked.filter(({ candidate }) => candidate.edition === '');
  if (own.length === 0 || own.length === ranked.length) return ranked;
  const handbook = ranked.filter(({ candidate }) => candidate.edition !== '');
  const isHandbooks = judge(handbook) >= Math.max(0, judge(own) + handbookLead);
  return isHandbooks ? [...handbook, ...own] : [...own, ...handbook];
}

async function readPassages(
  models: KnowledgeModels,
  likely: readonly RatedPassage[],
  units: readonly CountedUnit[],
): Promise<ReadPassage[]> {
  const idsOf = (some: readonly RatedPassage[]) => some.map(({ candidate }) => candidate._id);
  const own = likely.filter(({ candidate }) => candidate.owner !== '');
  const [shared, found] = await Promise.all([
    sharedReadsOf(models).readPassages(idsOf(likely.filter(({ candidate }) => candidate.owner === ''))),
    own.length === 0 ? [] : models.passages.find({ _id: { $in: idsOf(own) } }).lean(),
  ]);
  const texts = new Map<string, KnowledgePassage>([...shared, ...found].map((one) => [one._id, one]));
  return likely.flatMap((one) => {
    const passage = texts.get(one.candidate._id);
    return passage ? [readClosely(one, passage, units)] : [];
  });
}

/** Leaves out what another document of the same title says word for word, as where one was uploaded twice. */
function withoutCopies(read: readonly ReadPassage[]): ReadPassage[] {
  const first = new Map<string, ReadPassage>();
  for (const one of read) {
    const { title, place, text } = one.passage;
    const key = [title, place, text].join('\n');
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

function nearestHeadings(ranked: readonly ReadPassage[], question: AnalysedQuestion): string[] {
  const headings = ranked
    .filter(({ candidate }) => candidate.language === question.language)
    .map(({ passage }) => passage.heading)
    .filter((heading) => heading !== '');
  return [...new Set(headings)];
}
