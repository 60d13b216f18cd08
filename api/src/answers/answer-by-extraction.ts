import type { Citation, Language } from '../contract.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import type { AnswerPiece } from './answerer.ts';
import { says } from './choose-place.ts';
import { extractAnswer, extractTable, type PassageText } from './extract-answer.ts';
import type { Retrieval } from './retrieve.ts';
import { textPieces } from './text-pieces.ts';

/** The answer's text and the passages' stretches that back it, out of what was found; there has to be support. */
export async function answerByExtraction(
  models: KnowledgeModels,
  retrieval: Retrieval,
): Promise<{ text: string; citations: Citation[] }> {
  const table = await cutTable(models, retrieval);
  return table.length > 0
    ? extractTable(table, retrieval.units)
    : extractAnswer(passagesToQuote(retrieval), retrieval.units, retrieval.text);
}

/** From here on the question asks for a section as such, not for something in it. */
const asksForSection = 0.8;
const mostOfTable = 8;

/** All passages of the best one's section, in order, when it was asked for as such and its table was cut; else none. */
async function cutTable(
  models: KnowledgeModels,
  { support, explanation }: Retrieval,
): Promise<PassageText[]> {
  const best = support[0]?.passage;
  if (best === undefined || (explanation.ranked[0]?.likeness ?? 0) < asksForSection) return [];
  const section = await models.passages
    .find({ documentId: best.documentId, heading: best.heading })
    .sort({ start: 1 })
    .limit(mostOfTable)
    .lean();
  const isCutTable = section.length > 1 && section.slice(1).every(({ tableHead }) => tableHead !== '');
  return isCutTable ? section : [];
}

const mostPassages = 3;

/**
 * The best passage, and those of the next two that are worth adding: in its language, and of the desk's documents, as each section of the handbook
 * answers alone. The less the best one
 * says of the question, the likelier another is meant: its share of the question has to be the square of the best one's at least.
 */
function passagesToQuote({ support, nearestPassages, units }: Retrieval): PassageText[] {
  const best = support[0]?.passage;
  if (best === undefined) return [];
  const whole = units.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const shareOf = ({ title, place, text }: PassageText) => says(`${title}\n${place}\n${text}`, units) / whole;
  const least = shareOf(best) ** 2;
  const others = nearestPassages
    .slice(0, mostPassages)
    .filter(
      (passage) =>
        passage._id !== best._id &&
        passage.language === best.language &&
        passage.edition === '' &&
        best.edition === '' &&
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
