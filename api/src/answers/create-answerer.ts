import type { Citation, Language } from '../contract.ts';
import type { KnowledgeModels } from '../models/knowledge-models.ts';
import { analyseQuestion } from './analyse-question.ts';
import type { Answerer, AnswerPiece, Question } from './answerer.ts';
import { extractAnswer, extractTable, type PassageText } from './extract-answer.ts';
import type { IndexedHandbook } from './index-handbook.ts';
import { matchPair } from './match-pair.ts';
import { answerByModel } from './model/answer-by-model.ts';
import type { ModelSettings } from './model/model-settings.ts';
import { type Explanation, type Retrieval, retrieve } from './retrieve.ts';
import { textPieces } from './text-pieces.ts';

export interface AnswererDeps {
  models: KnowledgeModels;
  handbook: Pick<IndexedHandbook, 'edition' | 'starters'>;
  /** null: answers are extracted. */
  model: ModelSettings | null;
  /** Told why each answer is what it is. Holds words of the question: not for logs. */
  onExplain?: (explanation: Explanation) => void;
}

/** Passages that a model is given, and that an extracted answer may be taken from. */
const mostForModel = 6;
const mostForExtraction = 3;
const mostSuggestions = 3;

/**
 * Answers by a curated pair that matches, else from passages: extracted, or by the model where one is configured. Where nothing
 * supports an answer it says so and offers the nearest questions.
 */
export function createAnswerer({ models, handbook, model, onExplain }: AnswererDeps): Answerer {
  let { edition } = handbook;

  async function find({ text, language, owner }: Question): Promise<Retrieval> {
    const most = model ? mostForModel : mostForExtraction;
    const retrieval = await retrieve(models, text, language, { owner, edition }, most);
    if (retrieval.explanation.total > 0) return retrieval;
    const now = await models.documents
      .findOne({ source: 'handbook', status: 'ready' }, { edition: 1 })
      .lean();
    if (!now || now.edition === edition) return retrieval;
    // A newer process has brought its own edition of the handbook: answer from that one.
    edition = now.edition;
    return retrieve(models, text, language, { owner, edition }, most);
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
    if (model) yield* answerByModel({ question, retrieval, suggestions, settings: model }, signal);
    else if (retrieval.support.length > 0) yield* extracted(models, retrieval, signal);
    else yield* nothingFound(retrieval.question.language, suggestions, signal);
  }

  return { answer };
}

async function* extracted(
  models: KnowledgeModels,
  retrieval: Retrieval,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece, void, undefined> {
  const table = await cutTable(models, retrieval);
  const { text, citations } =
    table.length > 0
      ? extractTable(table, retrieval.units)
      : extractAnswer(passagesToQuote(retrieval), retrieval.units);
  yield* say(text, signal, citations);
  if (!signal.aborted) yield { kind: 'final', source: 'document', citations, suggestions: [] };
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
    .find({ documentId: best.documentId, heading: best.heading }, { terms: 0, weights: 0 })
    .sort({ start: 1 })
    .limit(mostOfTable)
    .lean();
  const isCutTable = section.length > 1 && section.slice(1).every(({ tableHead }) => tableHead !== '');
  return isCutTable ? section : [];
}

const worthAdding = 0.25;

/** The best passage, and the next one that says a good part of what the best does not. */
function passagesToQuote({ support, units }: Retrieval): PassageText[] {
  const [best, ...others] = support;
  if (best === undefined) return [];
  const weightOf = (surfaces: readonly string[]) =>
    units.reduce((sum, unit) => (surfaces.includes(unit.surface) ? sum + unit.weight : sum), 0);
  const whole = units.reduce((sum, { weight }) => sum + weight, 0);
  const added = others.find(({ passage, missing }) => {
    const gained = best.missing.filter((surface) => !missing.includes(surface));
    return passage.language === best.passage.language && weightOf(gained) >= whole * worthAdding;
  });
  return added ? [best.passage, added.passage] : [best.passage];
}

const nothing: Record<Language, string> = {
  zh: '知识库里没有足够的依据来回答这个问题。可以换一种说法再问，或看看下面这些相近的问题。',
  en: 'Nothing in the knowledge base supports an answer to this question. Please try other words, or one of the nearest questions below.',
};

async function* nothingFound(
  language: Language,
  suggestions: string[],
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece, void, undefined> {
  yield* say(nothing[language], signal);
  if (!signal.aborted) yield { kind: 'final', source: 'none', citations: [], suggestions };
}

function suggestionsOf({ nearest, question }: Retrieval, starters: IndexedHandbook['starters']): string[] {
  return [...new Set([...nearest, ...starters[question.language]])].slice(0, mostSuggestions);
}

function* say(
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
