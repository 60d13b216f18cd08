import type { Citation } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import type { AnswerPiece } from '../answerer.ts';
import { asksSeveral, type PassageText } from '../retrieve/places.ts';
import { coverageOf, shareOf } from '../retrieve/rank.ts';
import type { Retrieval } from '../retrieve/retrieve.ts';
import { type ExtractedAnswer, extractAnswer } from './extract-answer.ts';
import { extractRelated } from './extract-related.ts';
import { plainName } from './quoted-words.ts';

/** Extracts an answer with its citations from the retrieved passages, after a note if they are in another language than the question's. */
export function answerByExtraction(retrieval: Retrieval, language: Language): ExtractedAnswer {
  const answer = extractAnswer(passagesToQuote(retrieval), retrieval.units, retrieval.text);
  const note = noteOnLanguage(retrieval, language);
  return note ? { ...answer, text: `${note}\n\n${answer.text}` } : answer;
}

/** An answer to each part of a question from its best passage, under the part. */
export function answerParts(parts: readonly FoundPart[]): ExtractedAnswer {
  let citations: Citation[] = [];
  const texts = parts.map(({ part, retrieval: { passages, units, text: asked } }) => {
    const answer = extractAnswer(passages.slice(0, 1), units, asked, citations);
    citations = answer.citations;
    return parts.length > 1 ? `**${plainName(part)}**\n\n${answer.text}` : answer.text;
  });
  return { text: texts.join('\n\n'), citations };
}

/** A part of a question, looked up by itself. */
export interface FoundPart {
  part: string;
  retrieval: Retrieval;
}

/** A note that the best passage is in another language than the question; '' if it is not. */
function noteOnLanguage({ passages: [best] }: Retrieval, language: Language): string {
  if (!best || best.language === language) return '';
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return textOf('other_language', { name: names.of(best.language)! })(language);
}

/** Quotes that may help, with their places; null if there are none. */
export function relatedTo(retrieval: Retrieval, language: Language) {
  const { outcome, passages, units, text: asked } = retrieval;
  const { text, citations } =
    outcome === 'related'
      ? extractRelated(passages.slice(0, maxRelatedPassages), units, asked)
      : { text: '', citations: [] };
  if (citations.length === 0) return null;
  const intro = [textOf('related')(language), noteOnLanguage(retrieval, language)]
    .filter(Boolean)
    .join('\n\n');
  return { text: `${intro}\n\n${text}`, citations, source: 'none', outcome } as const;
}

const textOf = textsOf('answers');

const maxPassages = 3;
const maxRelatedPassages = 5;

/**
 * The best passage, and those of the next two that are worth quoting too: in its language, of the desk's documents (sections of the handbook answer
 * alone), and with at least the square of its share of the question. The less the best passage says, the more likely another one answers.
 */
function passagesToQuote({ passages, units, text: asked }: Retrieval): PassageText[] {
  const [best, ...next] = passages.slice(0, maxPassages);
  if (best === undefined) return [];
  // A title that names one of several things asked for does not answer it.
  const isNamed = !asksSeveral(asked);
  const shareSaid = ({ title, place, text }: PassageText) =>
    shareOf(coverageOf(`${isNamed ? title : ''}\n${place}\n${text}`, units), units);
  const minShare = shareSaid(best) ** 2;
  const isOfDocuments = best.edition === '';
  const others = next.filter(
    (passage) =>
      isOfDocuments &&
      passage.edition === '' &&
      passage.language === best.language &&
      shareSaid(passage) >= minShare,
  );
  return [best, ...others];
}

/** The answer if no passage supports one. */
export const nothingFound = textOf('nothing_found');

/** A text as pieces; its citations come with the first. */
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

/** Splits a text into sentences, list items and lines, each with the citation marks and white space after it. */
function textPieces(text: string): string[] {
  return text.match(/[^\n。！？.!?]+(?:[\n。！？.!?]+(?:\[\d+\])*\s*)?|[\n。！？.!?]+(?:\[\d+\])*\s*/g) ?? [];
}
