import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { analyseQuestion } from './analyse-question.ts';
import { answerByExtraction, nothingFound, say } from './answer-by-extraction.ts';
import type { Answerer, AnswerPiece, Question } from './answerer.ts';
import type { IndexedHandbook } from './index-handbook.ts';
import { matchPair } from './match-pair.ts';
import type { ModelAnswers } from './model/model-answers.ts';
import { type Explanation, type Retrieval, retrieve } from './retrieve.ts';

export interface AnswererDeps {
  models: KnowledgeModels;
  handbook: Pick<IndexedHandbook, 'edition' | 'starters'>;
  /** Missing: answers are extracted. */
  byModel?: ModelAnswers;
  /** Told why each answer is what it is. Holds words of the question: not for logs. */
  onExplain?: (explanation: Explanation) => void;
}

/** Passages that a model is given at most, or an extracted answer taken from. */
const mostPassages = 8;
const mostSuggestions = 3;

/**
 * Answers by a curated pair that matches, else from passages: extracted, or by the model where one is chosen. Where nothing
 * supports an answer it says so and offers the nearest questions.
 */
export function createAnswerer({ models, handbook, byModel, onExplain }: AnswererDeps): Answerer {
  let { edition } = handbook;

  async function find({ text, language, owner }: Question): Promise<Retrieval> {
    const retrieval = await retrieve(models, text, language, { owner, edition }, mostPassages);
    if (retrieval.explanation.total > 0) return retrieval;
    const now = await models.documents
      .findOne({ source: 'handbook', status: 'ready' }, { edition: 1 })
      .lean();
    if (!now || now.edition === edition) return retrieval;
    // A newer process has brought its own edition of the handbook: answer from that one.
    edition = now.edition;
    return retrieve(models, text, language, { owner, edition }, mostPassages);
  }

  async function* answer(
    question: Question,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece, void, undefined> {
    const match = await matchPair(models, question.text, analyseQuestion(question.text, question.language));
    if (signal.aborted) return;
    if (match) {
      yield* say(match.pair.answer, signal);
      if (!signal.aborted) yield { kind: 'final', source: 'curated', citations: [], suggestions: [] };
      return;
    }
    const retrieval = await find(question);
    onExplain?.(retrieval.explanation);
    if (signal.aborted) return;
    const suggestions = retrieval.support.length > 0 ? [] : suggestionsOf(retrieval, handbook.starters);
    if (byModel?.takes(question)) {
      const passages = retrieval.support.map(({ passage }) => passage);
      const asked = { question, language: retrieval.question.language, passages, suggestions };
      if (yield* byModel.answer(asked, signal)) return;
      if (signal.aborted) return;
    }
    if (retrieval.support.length > 0) {
      const { text, citations } = await answerByExtraction(models, retrieval);
      yield* say(text, signal, citations);
      if (!signal.aborted) yield { kind: 'final', source: 'document', citations, suggestions };
      return;
    }
    yield* say(nothingFound[retrieval.question.language], signal);
    if (!signal.aborted) yield { kind: 'final', source: 'none', citations: [], suggestions };
  }

  return { answer };
}

function suggestionsOf({ nearest, question }: Retrieval, starters: IndexedHandbook['starters']): string[] {
  return [...new Set([...nearest, ...starters[question.language]])].slice(0, mostSuggestions);
}
