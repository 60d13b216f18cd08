import type { Citation } from '../../contract.ts';
import { modelFailed } from '../../errors.ts';
import type { AnswerPiece, Question } from '../answerer.ts';
import { citationOf, type PassageText } from '../extract-answer.ts';
import { allTerms } from '../passage-terms.ts';
import type { Retrieval } from '../retrieve.ts';
import { type Span, structureOf } from '../structure.ts';
import { createWholeCharacters } from '../whole-characters.ts';
import { createCitationGate } from './citation-gate.ts';
import { createReasoningFilter } from './hide-reasoning.ts';
import { modelMessages } from './model-prompt.ts';
import type { ModelSettings } from './model-settings.ts';
import { streamModel } from './stream-model.ts';

export interface ModelQuestion {
  question: Question;
  retrieval: Retrieval;
  /** Offered along with the answer when no passage supports one. */
  suggestions: string[];
  settings: ModelSettings;
}

/**
 * Answers by the model from the passages that were found. With none it is asked all the same, and told to say so. Numbers that
 * stand for no passage are left out, the others renumbered in the order in which they come.
 *
 * @throws modelFailed when the model breaks off, stalls, refuses or says nothing; what was yielded stands. The cause is kept.
 */
export async function* answerByModel(
  { question, retrieval, suggestions, settings }: ModelQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece, void, undefined> {
  const passages = retrieval.support.map(({ passage }) => passage);
  const messages = modelMessages(question, passages, retrieval.question.language, settings.historyBudget);
  const cited = createCited(passages);
  const gate = createCitationGate(cited.resolve);
  const reasoning = createReasoningFilter();
  const characters = createWholeCharacters();
  let isBlank = true;
  let told = 0;
  const piece = (text: string): AnswerPiece => {
    const cites = cited.citations.slice(told);
    told = cited.citations.length;
    return { kind: 'text', text, ...(cites.length > 0 ? { cites } : {}) };
  };
  try {
    for await (const token of streamModel(settings, messages, signal)) {
      const text = gate.take(characters.take(reasoning.take(token)));
      isBlank &&= text.trim() === '';
      if (text !== '') yield piece(text);
    }
  } catch (failure) {
    if (signal.aborted) return;
    throw Object.assign(modelFailed(), { cause: failure });
  }
  if (signal.aborted) return;
  const rest = gate.take(characters.take(reasoning.rest()) + characters.rest()) + gate.rest();
  if (isBlank && rest.trim() === '') throw modelFailed();
  if (rest !== '') yield piece(rest);
  yield { kind: 'final', source: 'model', citations: cited.citations, suggestions };
}

/** Gives each passage its number when it is first cited, with the words of it that the sentence before the mark leans on. */
function createCited(passages: readonly PassageText[]) {
  const citations: Citation[] = [];
  const numbers = new Map<number, number>();
  return {
    citations,
    resolve(number: number, shown: string): number | null {
      const passage = passages[number - 1];
      if (passage === undefined) return null;
      const known = numbers.get(number);
      if (known !== undefined) return known;
      citations.push(citationOf(passage, supportFor(passage, shown)));
      numbers.set(number, citations.length);
      return citations.length;
    },
  };
}

function supportFor(passage: PassageText, shown: string): Span {
  const said = new Set(
    allTerms(
      shown
        .slice(-300)
        .split(/[。！？\n]|[.!?]\s/)
        .filter((part) => part.trim() !== '')
        .at(-1) ?? '',
    ),
  );
  const leaves = structureOf(passage.text).flatMap(leavesOf);
  let best: { leaf: Span; shared: number } = {
    leaf: leaves[0] ?? { start: 0, end: passage.text.length },
    shared: 0,
  };
  for (const leaf of leaves) {
    const terms = new Set(allTerms(passage.text.slice(leaf.start, leaf.end)));
    const shared = [...terms].filter((term) => said.has(term)).length / Math.sqrt(terms.size || 1);
    if (shared > best.shared) best = { leaf, shared };
  }
  return best.leaf;
}

function leavesOf(block: ReturnType<typeof structureOf>[number]): readonly Span[] {
  if (block.kind === 'paragraph') return block.sentences;
  if (block.kind === 'list')
    return block.items.map(({ contentStart, end }) => ({ start: contentStart, end }));
  return block.kind === 'table' ? block.rows : [block];
}
