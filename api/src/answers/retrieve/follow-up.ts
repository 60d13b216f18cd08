import type { Language } from '../../contract/language.ts';
import type { Turn } from '../answerer.ts';
import { analyseQuestion } from './analyse-question.ts';
import { contentWords, wordsSaid } from './answerability.ts';
import type { CountedUnit } from './find-candidates.ts';
import { bestPlaceOf, type PassageText } from './places.ts';
import { coverageOf, weightOf } from './rank.ts';
import type { Retrieval } from './retrieve.ts';

/** A question with at most this many content words may depend on earlier ones. */
const maxContentWords = 2;
const maxLength = 60;
const maxTurns = 4;

/** A question in its conversation. */
export interface FollowUp {
  /** The earlier questions: the last complete one and those after it. */
  before: string;
  /** The same, followed by the question. */
  inContext: string;
}

/**
 * A short question together with the earlier ones it may depend on; null for a complete question. Words such as "it" and "that" are not considered, as
 * complete questions contain them too. Pure; no model is asked.
 */
export function followUpOf(text: string, language: Language, history: readonly Turn[]): FollowUp | null {
  if (!isShort(text, language)) return null;
  const asked = history.slice(-maxTurns).map(({ question }) => question.trim());
  const topic = asked.findLastIndex((question) => !isShort(question, language));
  // Short questions in between add context: "and on Windows?" before "how long does it take?".
  const before = asked.slice(Math.max(topic, 0));
  if (before.length === 0) return null;
  const join = (parts: string[]) => parts.join(language === 'zh' ? '，' : ' ');
  return { before: join(before), inContext: join([...before, text.trim()]) };
}

function isShort(text: string, language: Language): boolean {
  const asked = text.trim();
  if (asked.length > maxLength) return false;
  return (
    analyseQuestion(asked, language).units.filter(({ share }) => share >= minContentShare).length <=
    maxContentWords
  );
}

/** Minimum share of a unit that is a word of its own. */
const minContentShare = 0.7;

/** Log odds from which on a passage clearly answers: in its context a question shares words with many. */
const clearMargin = 1;

/**
 * Whether a question depends on the earlier ones: another passage is the best one in context, it is also the best one for the earlier questions, and it either says as
 * much of the question as the best passage for the question alone, or clearly answers where that one does not. With the same passage, the judgement of the question alone
 * counts, unless it leaves its subject out: in a file of one passage every question would otherwise be answered by the words of the earlier one.
 */
export async function needsContext(
  alone: Retrieval,
  inContext: Retrieval,
  findBefore: () => Promise<Retrieval>,
): Promise<boolean> {
  const [own] = alone.passages;
  const [other] = inContext.passages;
  if (!other || alone.isHeading) return false;
  if (own?._id === other._id) return isContinued(other, alone) && inContext.outcome === 'answered';
  if (!saysEnough(other, alone)) return false;
  if (!saysAsMuch(inContext, alone) && (alone.outcome === 'answered' || inContext.margin < clearMargin))
    return false;
  return (await findBefore()).passages[0]?._id === other._id;
}

/** A question with at most this many content words seldom names its subject. */
const maxWithoutSubject = 3;

/** Whether a short question that its context does not answer may still be about it, so that what is found in context is related. */
export function mayLackSubject({ text, units }: Retrieval): boolean {
  return contentWords(text, units).length <= maxWithoutSubject;
}

/** A question that leaves its subject out, as grammar shows: 那…呢, "and …?" Pronouns are no sign, as complete questions contain them too. */
const elliptical = /^那|呢\p{P}*$|^(?:and|or|but|what about|how about)\b/iu;

/** Whether a question that is not answered alone leaves its subject out and `passage` says all its content words. */
function isContinued(passage: PassageText, question: Retrieval): boolean {
  const { words, said } = wordsSaid(passage, question);
  const isElliptical = elliptical.test(question.text.trim());
  return isElliptical && question.outcome !== 'answered' && words > 0 && said === words;
}

/**
 * Whether one place of `passage` says the content words of the question together with its headings: all, or one of an elliptical question, which refers to the earlier one.
 * In several places of a passage common words stand by chance.
 */
function saysEnough(passage: PassageText, question: Retrieval): boolean {
  const { text } = bestPlaceOf(passage, question.units, question.text);
  const { words, said } = wordsSaid({ ...passage, text, tableHead: '' }, question);
  return said === words || (said > 0 && elliptical.test(question.text.trim()));
}

/** Whether the best passage of `one` says as much of the question of `other` as the best passage of that. */
export function saysAsMuch(
  { passages: [passage] }: Retrieval,
  { passages: [other], units }: Retrieval,
): boolean {
  return !other || (passage !== undefined && weightSaid(passage, units) >= weightSaid(other, units));
}

function weightSaid(
  { title, place, ways, tableHead, text }: PassageText,
  units: readonly CountedUnit[],
): number {
  return weightOf(coverageOf([title, place, ...ways, tableHead, text].join('\n'), units), units);
}

/** Number of passages that an answer may quote; they come from one retrieval. */
const maxQuoted = 3;

/**
 * Whether the product's handbook has to leave a short question to the conversation: in context the desk's own documents come first, and the section's
 * headings and other ways to ask for it do not say all content words of the question.
 */
export function isOfConversation(alone: Retrieval, inContext: Retrieval): boolean {
  const [own] = alone.passages;
  const [other] = inContext.passages;
  if (alone.isHeading || !own || own.edition === '' || !other || other.edition !== '') return false;
  const { words, said } = wordsSaid({ ...own, text: '', tableHead: '' }, alone);
  return said < words;
}

/**
 * The better of two retrievals, with the other one's passages fused after those that may be quoted. With `isMixed`, the best passage of each may be related
 * if it does not answer.
 */
export function fuse(better: Retrieval, other: Retrieval, isMixed = false): Retrieval {
  const best = [better, other].flatMap(({ passages }) => passages.slice(0, 1));
  const ranked = fuseBy(better.explanation.ranked, other.explanation.ranked, ({ passageId }) => passageId);
  return {
    ...better,
    passages: isMixed && better.outcome !== 'answered' ? distinct(best) : better.passages,
    forModel: fuseBy(better.forModel, other.forModel, ({ _id }) => _id),
    explanation: { ...better.explanation, ranked },
  };
}

function distinct(passages: readonly PassageText[]): PassageText[] {
  return [...new Map(passages.map((one) => [one._id, one])).values()];
}

function fuseBy<T>(better: readonly T[], other: readonly T[], idOf: (one: T) => string): T[] {
  const heads = [better.slice(0, maxQuoted), other.slice(0, maxQuoted)];
  const all = [...heads, better.slice(maxQuoted), other.slice(maxQuoted)].flat();
  const first = new Map(all.toReversed().map((one) => [idOf(one), one]));
  return all.filter((one) => first.get(idOf(one)) === one).slice(0, Math.max(better.length, other.length));
}
