import type { Language } from '../contract/language.ts';
import { analyseQuestion } from './analyse-question.ts';
import type { Turn } from './answerer.ts';
import type { PassageText } from './extract-answer.ts';
import type { CountedUnit } from './find-candidates.ts';
import { weigh } from './rank.ts';
import { parseQuestion } from './read-closely.ts';
import type { Retrieval } from './retrieve.ts';

/** A question that says no more things than this may need what was asked before. */
const saysLittle = 2;
const longest = 60;
const farthest = 4;

/** A question in its conversation. */
export interface FollowUp {
  /** What was asked before: the last question that says more, and those since. */
  before: string;
  /** The same with the question at its end. */
  inContext: string;
}

/**
 * A question with what it may go on from; null for one that says enough to be looked up alone. Words such as "it" and "that" decide nothing, as complete
 * questions have them too. Pure; no model is asked.
 */
export function followUpOf(text: string, language: Language, history: readonly Turn[]): FollowUp | null {
  if (!isShort(text, language)) return null;
  const asked = history.slice(-farthest).map(({ question }) => question.trim());
  const topic = asked.findLastIndex((question) => !isShort(question, language));
  // What lies between says more about what is meant, as "and on Windows?" does before "how long does it take?".
  const before = asked.slice(Math.max(topic, 0));
  if (before.length === 0) return null;
  const join = (parts: string[]) => parts.join(language === 'zh' ? '，' : ' ');
  return { before: join(before), inContext: join([...before, text.trim()]) };
}

function isShort(text: string, language: Language): boolean {
  const asked = text.trim();
  if (asked.length > longest) return false;
  return (
    analyseQuestion(asked, language).units.filter(({ share }) => share >= isContent).length <= saysLittle
  );
}

/** Share of a unit from which on it is content. */
const isContent = 0.7;

/**
 * Whether a question is about what was asked before: what answers that comes first for both together too, and it says as much of the question as what was found
 * for the question alone, or that is not enough to answer by.
 */
export async function needsContext(
  alone: Retrieval,
  inContext: Retrieval,
  findBefore: () => Promise<Retrieval>,
): Promise<boolean> {
  const [own] = alone.passages;
  const [other] = inContext.passages;
  if (!other || own?._id === other._id || alone.isAskedFor) return false;
  const saysAsMuch = !own || saidOf(other, alone.units) >= saidOf(own, alone.units);
  if (!saysAsMuch && (alone.isEnough || !inContext.isEnough)) return false;
  return (await findBefore()).passages[0]?._id === other._id;
}

function saidOf({ title, place, ways, tableHead, text }: PassageText, units: readonly CountedUnit[]): number {
  return weigh(parseQuestion([title, place, ...ways, tableHead, text].join('\n'), units), units);
}

/** An answer quotes so many passages at most: those come from one of both. */
const mostQuoted = 3;

/** The better of two findings for a question, with what the other one found among its passages, behind those that are quoted. */
export function fuse(better: Retrieval, other: Retrieval): Retrieval {
  const ranked = fuseBy(better.explanation.ranked, other.explanation.ranked, ({ passageId }) => passageId);
  return {
    ...better,
    forModel: fuseBy(better.forModel, other.forModel, ({ _id }) => _id),
    explanation: { ...better.explanation, ranked },
  };
}

function fuseBy<T>(better: readonly T[], other: readonly T[], idOf: (one: T) => string): T[] {
  const heads = [better.slice(0, mostQuoted), other.slice(0, mostQuoted)];
  const all = [...heads, better.slice(mostQuoted), other.slice(mostQuoted)].flat();
  const first = new Map(all.toReversed().map((one) => [idOf(one), one]));
  return all.filter((one) => first.get(idOf(one)) === one).slice(0, Math.max(better.length, other.length));
}
