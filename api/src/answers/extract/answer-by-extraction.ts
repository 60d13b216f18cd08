import type { Citation } from '../../contract/answers.ts';
import type { Language } from '../../contract/language.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import type { AnswerPiece } from '../answerer.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { asksSeveral } from '../retrieve/places.ts';
import { coverageOf, shareOf } from '../retrieve/rank.ts';
import type { Retrieval } from '../retrieve/retrieve.ts';
import { type ExtractedAnswer, extractAnswer } from './extract-answer.ts';
import { extractRelated } from './extract-related.ts';
import { plainName } from './quoted-words.ts';

/** Extracts an answer with citations, after a note if the passages are in another language. */
export function answerByExtraction(retrieval: Retrieval, language: Language): ExtractedAnswer {
  const answer = extractAnswer(passagesToQuote(retrieval), retrieval.units, retrieval.text);
  const note = noteOnLanguage(retrieval, language);
  return note ? { ...answer, text: `${note}\n\n${answer.text}` } : answer;
}

/** Answers each part of a question from its best passage, with the part as a heading if there are several. */
export function answerParts(parts: readonly FoundPart[]): ExtractedAnswer {
  let citations: Citation[] = [];
  const texts = parts.map(({ part, retrieval: { passages, units, text: asked } }) => {
    const answer = extractAnswer(passages.slice(0, 1), units, asked, citations);
    citations = answer.citations;
    return parts.length > 1 ? `**${plainName(part)}**\n\n${answer.text}` : answer.text;
  });
  return { text: texts.join('\n\n'), citations };
}

/** A part of a question with its own retrieval. */
export interface FoundPart {
  part: string;
  retrieval: Retrieval;
}

/** A note if the best passage is in another language than the question, else ''. */
function noteOnLanguage({ passages: [best] }: Retrieval, language: Language): string {
  if (!best || best.language === language) return '';
  const names = new Intl.DisplayNames(language, { type: 'language' });
  return textOf('other_language', { name: names.of(best.language)! })(language);
}

/** Quotes that may help, with their places; null unless the retrieval is related. */
export function relatedTo(retrieval: Retrieval, language: Language) {
  const { outcome, passages, units, text: asked } = retrieval;
  if (outcome !== 'related') return null;
  const { text, citations } = extractRelated(passages.slice(0, maxRelatedPassages), units, asked);
  if (citations.length === 0) return null;
  const parts = [textOf('related')(language), noteOnLanguage(retrieval, language), text];
  return { text: parts.filter(Boolean).join('\n\n'), citations, source: 'none', outcome } as const;
}

const textOf = textsOf('answers');

const maxPassages = 3;
const maxRelatedPassages = 5;

/**
 * The best passage, and those of the next two that may be quoted too: passages of documents in its language
 * with at least the square of its share of the question. The less the best passage says, the more likely
 * another one answers. A section of the handbook answers alone.
 */
function passagesToQuote({ passages, units, text: asked }: Retrieval): KnowledgePassage[] {
  const [best, ...next] = passages.slice(0, maxPassages);
  if (best === undefined) return [];
  // If the question asks for several things, a title that names one of them does not answer it.
  const isNamed = !asksSeveral(asked);
  const shareSaid = ({ title, place, text }: KnowledgePassage) =>
    shareOf(coverageOf(`${isNamed ? title : ''}\n${place}\n${text}`, units), units);
  const minShare = shareSaid(best) ** 2;
  const others = next.filter(
    (passage) =>
      best.edition === '' &&
      passage.edition === '' &&
      passage.language === best.language &&
      shareSaid(passage) >= minShare,
  );
  return [best, ...others];
}

/** The default answer if nothing is found. */
export const nothingFound = textOf('nothing_found');

/** Yields a text in pieces, the first one with all citations. */
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

/** Splits a text into sentences, items and lines, each followed by its citation marks and white space. */
function textPieces(text: string): string[] {
  return text.match(/[^\n。！？.!?]+(?:[\n。！？.!?]+(?:\[\d+\])*\s*)?|[\n。！？.!?]+(?:\[\d+\])*\s*/g) ?? [];
}
