import type { Citation } from '../../../api/src/contract/answers.ts';
import { foldQuote, hasQuote } from './fold-quote.ts';
import { type Answered, type Knowledge, passageIdOf } from './open-knowledge.ts';
import type { Answerable, QuestionSet, Unanswerable } from './read-questions.ts';

interface AskedAnswerable {
  question: Answerable;
  answered: Answered;
  /** Whether the answer contains a quote. */
  saysIt: boolean;
}

interface AskedUnanswerable {
  question: Unanswerable;
  answered: Answered;
}

export interface AskedSet {
  answerable: AskedAnswerable[];
  unanswerable: AskedUnanswerable[];
  citations: { count: number; true: number };
}

/** Asks the desk all questions sequentially. */
export async function askDesk(knowledge: Knowledge, set: QuestionSet): Promise<AskedSet> {
  const asked: AskedSet = { answerable: [], unanswerable: [], citations: { count: 0, true: 0 } };
  for (const question of set.answerable) {
    const answered = await knowledge.answer(question.question, question.language);
    const saysIt = hasQuote(foldQuote(withoutMarks(answered.text)), question.quotes);
    asked.answerable.push({ question, answered, saysIt });
    await checkCitations(knowledge, answered.citations, asked);
  }
  for (const question of set.unanswerable) {
    const answered = await knowledge.answer(question.question, question.language);
    asked.unanswerable.push({ question, answered });
    await checkCitations(knowledge, answered.citations, asked);
  }
  return asked;
}

/** Removes the citation marks within sentences. */
function withoutMarks(text: string): string {
  return text.replace(/\[\d+\]/g, '');
}

/** A citation is correct if its quote is the document's text at its offsets. */
async function checkCitations(
  { models }: Knowledge,
  citations: readonly Citation[],
  asked: AskedSet,
): Promise<void> {
  for (const { href, quote, start, end } of citations) {
    const passage = await models.passages.findOne({ _id: passageIdOf(href) }).lean();
    const text = passage && (await textOf(models, passage.documentId));
    asked.citations.count += 1;
    if (text?.slice(start, end) === quote && quote !== '') asked.citations.true += 1;
  }
}

/** The handbook's text is in its documents, that of an upload apart. */
async function textOf({ documents, texts }: Knowledge['models'], _id: string): Promise<string | undefined> {
  return (await texts.findOne({ _id }).lean())?.text ?? (await documents.findOne({ _id }).lean())?.text;
}

/** Rank of the first answering passage; 0 if there is none. */
export function rankOf(found: readonly { id: string }[], answering: ReadonlySet<string>): number {
  return found.findIndex(({ id }) => answering.has(id)) + 1;
}
