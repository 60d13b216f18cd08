import type { Language } from '../../contract/language.ts';
import { fold } from '../../text/fold.ts';
import type { CollectionOwner } from '../index/document.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { type AnalysedQuestion, analyseQuestion, type QuestionUnit } from '../retrieve/analyse-question.ts';
import { questionKey } from '../retrieve/question-key.ts';
import type { Synonyms } from '../retrieve/synonyms.ts';
import type { CuratedPair } from './pair.ts';

/** A change of the knowledge base to try out. Its uses are not counted. */
export interface KnowledgeOverlay {
  /** A new pair, or one that replaces the stored pair with the same id. */
  pair?: CuratedPair;
  /** Ids of a pair and a document to ignore. */
  withoutPair?: string;
  withoutDocument?: string;
  /** Id of a draft to use like a shared document. */
  draft?: string;
  /** Replaces the desk's synonyms. */
  synonyms?: Synonyms;
}

export interface PairMatch {
  pair: CuratedPair;
  /** The question or variant that matched. */
  way: string;
  /** 0–1; 1 for the same question except for case, width, punctuation and politeness. */
  similarity: number;
}

const minSimilarity = 0.86;
const maxPairs = 60;

/**
 * The curated pair that answers `text`: the one with the same question or variant, else the most similar one
 * with nearly the same words; null if there is none. Questions that differ in a number, a name, a negation or
 * an opposite never match. Of equal matches, editors' pairs are preferred to the handbook's, then those in
 * the question's language.
 *
 * @param readable owners of the collections that the asker may read, besides the first one.
 */
export async function matchPair(
  models: Pick<KnowledgeModels, 'pairs'>,
  text: string,
  question: AnalysedQuestion,
  overlay: KnowledgeOverlay = {},
  readable: readonly CollectionOwner[] = [],
  usesHandbook = true,
): Promise<PairMatch | null> {
  const key = questionKey(text);
  const sources: CuratedPair['source'][] = ['editor', ...readable];
  if (usesHandbook) sources.push('handbook');
  const stored = async (filter: object) =>
    changedBy(
      await models.pairs
        .find({ ...filter, source: { $in: sources } })
        .limit(maxPairs)
        .lean(),
      overlay,
    );
  const terms = question.units.flatMap((unit) => unit.terms);
  const [withKey, alike] = await Promise.all([
    stored({ keys: key }),
    terms.length > 0 ? stored({ terms: { $in: terms } }) : [],
  ]);
  const exact = withKey.filter(({ keys }) => keys.includes(key));
  if (exact.length > 0) {
    const pair = prefer(exact, question)[0]!;
    const way = waysOf(pair).find((one) => questionKey(one) === key) ?? pair.question;
    return { pair, way, similarity: 1 };
  }
  let best: PairMatch | null = null;
  for (const pair of prefer(alike, question)) {
    if (pair.terms.length === 0) continue;
    for (const way of waysOf(pair)) {
      if (differsInKind(text, way)) continue;
      const similarity = similarityOf(question, way, pair);
      if (similarity >= minSimilarity && similarity > (best?.similarity ?? 0))
        best = { pair, way, similarity };
    }
  }
  return best;
}

/** The distinct terms of all ways to ask a pair, for looking it up. */
export function pairTerms(ways: readonly string[], language: Language): string[] {
  const units = ways.flatMap((way) => analyseQuestion(way, language).units);
  return [...new Set(units.flatMap(({ terms }) => terms))];
}

function waysOf({ question, variants }: CuratedPair): string[] {
  return [question, ...variants];
}

function changedBy(pairs: CuratedPair[], { pair, withoutPair }: KnowledgeOverlay): CuratedPair[] {
  const kept = pairs.filter(({ _id }) => _id !== withoutPair && _id !== pair?._id);
  return pair ? [pair, ...kept] : kept;
}

function prefer(pairs: readonly CuratedPair[], question: AnalysedQuestion): CuratedPair[] {
  const rankOf = (pair: CuratedPair) =>
    (pair.source === 'handbook' ? 2 : 0) + (pair.language === question.language ? 0 : 1);
  return pairs.toSorted((one, other) => rankOf(one) - rankOf(other));
}

const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [
    /打开|开启|启用|激活|\b(?:enable|turn on|switch on|activate)/u,
    /关闭|关掉|关上|停用|禁用|\b(?:disable|turn off|switch off|deactivate)/u,
  ],
  [/登录|登入|\b(?:log ?in|sign ?in)\b/u, /退出|登出|注销|\b(?:log ?out|sign ?out)\b/u],
  [/上传|\bupload/u, /下载|\bdownload/u],
  [/导入|\bimport/u, /导出|\bexport/u],
  [/增加|添加|新增|新建|创建|\b(?:add|create)\b/u, /删除|删掉|移除|去掉|\b(?:delete|remove|erase)/u],
  [/安装|\binstall/u, /卸载|\buninstall/u],
  [/锁定|\block/u, /解锁|\bunlock/u],
  [/显示|\bshow/u, /隐藏|\bhide/u],
  [/最大|最多|最高|\b(?:maximum|most|max)\b/u, /最小|最少|最低|\b(?:minimum|least|min)\b/u],
  [/之前|以前|\bbefore\b/u, /之后|以后|\bafter\b/u],
];
const negation = /不|没|无法|别|勿|\b(?:not|no|never|without|cannot)\b|n['’]t\b/gu;
/** Questions such as 会不会 and 能不能, which are no negations. */
const either = /(\p{Script=Han})不\1/gu;

/** Whether two questions differ in numbers, opposites or negations. */
function differsInKind(one: string, other: string): boolean {
  const [left, right] = [fold(one), fold(other)];
  if (numbersIn(left) !== numbersIn(right)) return true;
  if (denials(left) % 2 !== denials(right) % 2) return true;
  return opposites.some(([yes, no]) => {
    const sideOf = (text: string) => Number(yes.test(text)) - Number(no.test(text));
    return sideOf(left) * sideOf(right) < 0;
  });
}

function numbersIn(text: string): string {
  return (text.match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(' ');
}

function denials(text: string): number {
  return text.replace(either, '$1').match(negation)?.length ?? 0;
}

/** Dice's coefficient of the units, weighted by share; 0 if one question has a name that the other lacks. */
function similarityOf(question: AnalysedQuestion, way: string, pair: CuratedPair): number {
  const [own, its] = [question.units, analyseQuestion(way, pair.language).units];
  const isIn = (units: readonly QuestionUnit[]) => (unit: QuestionUnit) =>
    units.some(({ terms }) => terms.some((term) => unit.terms.includes(term)));
  const [isInIts, isInOwn] = [isIn(its), isIn(own)];
  const shared = [...own.filter(isInIts), ...its.filter(isInOwn)];
  const all = [...own, ...its];
  if (all.some((unit) => isName(unit) && !shared.includes(unit))) return 0;
  return sumOf(shared) / (sumOf(all) || 1);
}

/** Whether a unit is a Latin content word, which is mostly a name or the subject itself. */
function isName({ surface, share }: QuestionUnit): boolean {
  return share >= 1 && /^[a-z0-9]/.test(surface);
}

function sumOf(units: readonly QuestionUnit[]): number {
  return units.reduce((sum, { share }) => sum + share, 0);
}
