import type { Citation } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import type { AnswerPiece } from './answerer.ts';
import { type ExtractedAnswer, extractAnswer, type PassageText, says } from './extract-answer.ts';
import type { Retrieval } from './retrieve.ts';

/** The answer's text and the passages' stretches that back it, out of what was found. */
export function answerByExtraction(retrieval: Retrieval): ExtractedAnswer {
  return extractAnswer(passagesToQuote(retrieval), retrieval.units, retrieval.text);
}

const mostPassages = 3;

/**
 * The best passage, and those of the next two that are worth adding: in its language, and of the desk's documents, as each section of the handbook
 * answers alone. The less the best one
 * says of the question, the likelier another is meant: its share of the question has to be the square of the best one's at least.
 */
function passagesToQuote({ passages, units }: Retrieval): PassageText[] {
  const [best, ...next] = passages.slice(0, mostPassages);
  if (best === undefined) return [];
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const shareOf = ({ title, place, text }: PassageText) => says(`${title}\n${place}\n${text}`, units) / whole;
  const least = shareOf(best) ** 2;
  const isOfDocuments = best.edition === '';
  const others = next.filter(
    (passage) =>
      isOfDocuments &&
      passage.edition === '' &&
      passage.language === best.language &&
      shareOf(passage) >= least,
  );
  return [best, ...others];
}

/** What is said where nothing supports an answer. */
export const nothingFound: Record<Language, string> = {
  zh: '知识库里没有足够的依据来回答这个问题。可以换一种说法再问，或看看下面这些相近的问题。',
  en: 'Nothing in the knowledge base supports an answer to this question. Please try other words, or one of the nearest questions below.',
};

/** A text as pieces; what it cites comes with the first. */
export function* say(
  text: string,
  signal: AbortSignal,
  cites: Citation[] = [],
): Generator<AnswerPiece, void, undefined> {
  let left = cites;
  for (const piece of textPieces(text)) {
    if (signal.aborted) return;
    yield { kind: 'text', text: piece, ...(left.length > 0 ? { cites: left } : {}) };
    left = [];
  }
}

/**
 * A finished text in pieces to send: sentences, list items and lines, each with the space and the citation marks behind it.
 * Joined they are the text; none ends within a surrogate pair.
 */
function textPieces(text: string): string[] {
  return text.match(/[^\n。！？.!?]+(?:[\n。！？.!?]+(?:\[\d+\])*\s*)?|[\n。！？.!?]+(?:\[\d+\])*\s*/g) ?? [];
}
