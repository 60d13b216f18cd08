import type { Language } from '../../contract/language.ts';
import type { Turn } from '../answerer.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { analyseQuestion } from './analyse-question.ts';
import { contentWords, wordsSaid } from './answerability.ts';
import { bestPlaceOf, weightSaid, wholeText } from './places.ts';
import type { Retrieval } from './retrieve.ts';

/** Maximum content words and UTF-16 units of a short question, which may depend on earlier ones. */
const maxContentWords = 2;
const maxLength = 60;
/** Number of earlier turns that are considered. */
const maxTurns = 4;

/**
 * A short question with the earlier ones that it may depend on: the last complete one and those after it
 * (`before`), and the same followed by the question (`inContext`). null for a complete question. Pronouns are
 * not considered, as complete questions contain them too. Pure; no model is asked.
 */
export function followUpOf(
  text: string,
  language: Language,
  history: readonly Turn[],
): { before: string; inContext: string } | null {
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
  const { units } = analyseQuestion(asked, language);
  return units.filter(({ share }) => share >= minContentShare).length <= maxContentWords;
}

/** Minimum share of a unit that is a word of its own. */
const minContentShare = 0.7;

/** Margin from which on a passage clearly answers. A question in context shares words with many passages. */
const clearMargin = 1;

/**
 * Whether a question depends on the earlier ones. It does if the best passage in context is another one than
 * that for the question alone, is also the best one for the earlier questions, and either says as much of the
 * question as the best passage for the question alone, or clearly answers while that one does not. If both
 * are the same passage, it only does if the question leaves its subject out: in a file of one passage, every
 * question has the same best passage.
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

/** Questions with at most this many content words seldom name their subject. */
const maxWithoutSubject = 3;

/** Whether the context may be related to a short question although it does not answer it. */
export function mayLackSubject({ text, units }: Retrieval): boolean {
  return contentWords(text, units).length <= maxWithoutSubject;
}

/** Forms of questions that leave their subject out: 那…呢, "and …?" */
const elliptical = /^那|呢\p{P}*$|^(?:and|or|but|what about|how about)\b/iu;

/** Whether an unanswered question leaves its subject out, and `passage` contains all its content words. */
function isContinued(passage: KnowledgePassage, question: Retrieval): boolean {
  const { words, said } = wordsSaid(passage, question);
  const isElliptical = elliptical.test(question.text.trim());
  return isElliptical && question.outcome !== 'answered' && words > 0 && said === words;
}

/**
 * Whether one place of `passage`, with its headings, contains all content words of the question, or any if
 * the question leaves its subject out. The whole passage would not do: it contains common words by chance.
 */
function saysEnough(passage: KnowledgePassage, question: Retrieval): boolean {
  const { text } = bestPlaceOf(passage, question.units, question.text);
  const { words, said } = wordsSaid({ ...passage, text, tableHead: '' }, question);
  return said === words || (said > 0 && elliptical.test(question.text.trim()));
}

/** Whether the best passage of the first retrieval says as much of the question as that of the second. */
export function saysAsMuch(
  { passages: [passage] }: Retrieval,
  { passages: [other], units }: Retrieval,
): boolean {
  const saidBy = (one: KnowledgePassage) => weightSaid(wholeText(one), units);
  return !other || (passage !== undefined && saidBy(passage) >= saidBy(other));
}

/**
 * Whether a short question that the handbook answers alone is about the conversation instead: in context a
 * document of the desk comes first, and the section's headings and ways to ask lack a content word of the
 * question.
 */
export function isOfConversation(alone: Retrieval, inContext: Retrieval): boolean {
  const [own] = alone.passages;
  const [other] = inContext.passages;
  if (alone.isHeading || !own || own.edition === '' || !other || other.edition !== '') return false;
  const { words, said } = wordsSaid({ ...own, text: '', tableHead: '' }, alone);
  return said < words;
}

/** Number of passages that an answer may quote; they come from one retrieval. */
const maxQuoted = 3;

/**
 * The better of two retrievals, with the other one's passages added after those that an answer may quote.
 * With `isMixed`, if it does not answer, the best passage of each is shown as related.
 */
export function fuse(better: Retrieval, other: Retrieval, isMixed = false): Retrieval {
  const best = [better, other].flatMap(({ passages }) => passages.slice(0, 1));
  const ranked = fuseBy(better.explanation.ranked, other.explanation.ranked, ({ passageId }) => passageId);
  return {
    ...better,
    passages:
      isMixed && better.outcome !== 'answered'
        ? [...new Map(best.map((one) => [one._id, one])).values()]
        : better.passages,
    forModel: fuseBy(better.forModel, other.forModel, ({ _id }) => _id),
    explanation: { ...better.explanation, ranked },
  };
}

/** The first `maxQuoted` of each list, then the rest, without duplicates, as many as in the longer list. */
function fuseBy<T>(better: readonly T[], other: readonly T[], idOf: (one: T) => string): T[] {
  const heads = [better.slice(0, maxQuoted), other.slice(0, maxQuoted)];
  const all = [...heads, better.slice(maxQuoted), other.slice(maxQuoted)].flat();
  const first = new Map(all.toReversed().map((one) => [idOf(one), one]));
  return all.filter((one) => first.get(idOf(one)) === one).slice(0, Math.max(better.length, other.length));
}
