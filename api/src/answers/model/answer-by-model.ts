import type { Logger } from 'pino';
import type { ConfiguredModel } from '../../config/configured-models.ts';
import type { Citation } from '../../contract/answers.ts';
import { modelFailed } from '../../errors/errors.ts';
import { type ModelFailureKind, modelFailures } from '../../errors/model-failures.ts';
import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import { createWholeCharacters, inSeries } from '../../text/text-gate.ts';
import {
  type AnsweredBy,
  type AnswerPiece,
  maxAnswerLength,
  type Pieces,
  type QuestionFile,
} from '../answerer.ts';
import type { Breaker } from '../endpoints/breaker.ts';
import { EndpointFailure, failureOf } from '../endpoints/endpoint-failure.ts';
import type { ModelHealth } from '../endpoints/model-health.ts';
import type { ModelPatience } from '../endpoints/patience.ts';
import { nothingFound } from '../extract/answer-by-extraction.ts';
import { citationOf } from '../extract/extract-answer.ts';
import { plainName } from '../extract/quoted-words.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import { createCitationGate } from './citation-gate.ts';
import type { Endpoint } from './endpoint.ts';
import { type CheckedAnswer, findDoubts, supportFor } from './find-doubts.ts';
import { countTokens, createPrompt, type Prompt, readImages } from './model-prompt.ts';
import type { ModelQuestion } from './model-question.ts';
import type { AnswerEnd } from './read-completion.ts';
import { createRefusalGate } from './refusal-mark.ts';
import { createReasoningSplitter } from './split-reasoning.ts';
import { streamModel } from './stream-model.ts';
import { createToolCallGate } from './tool-call-gate.ts';
import type { UsageCount, UsageShare } from './usage-count.ts';

/** A model with its state in this process. */
export interface AskedModel {
  configured: ConfiguredModel;
  endpoint: Endpoint;
  breaker: Breaker;
  health: ModelHealth;
  /** Maximum tokens of prompt and answer: as configured, or less after the endpoint refused that many. */
  contextTokens: number;
  /** Whether its last answer began with reasoning without an opening mark. */
  thinksUnopened: boolean;
}

export interface ByModelDeps {
  usage: UsageCount;
  patience: ModelPatience;
  log: Logger;
}

/** Maximum length of reasoning, in UTF-16 units. With more the answer fails. */
const maxThoughtLength = 400_000;
const textOf = textsOf('models');

/** Estimated tokens of an answer, for the day's limit. */
const expectedTokens = 800;
/** Minimum size of a reduced context, in tokens. */
const minContext = 1500;

/** See `answer` of `createModelDesk`. */
export async function* answerByModel(
  model: AskedModel,
  asked: ModelQuestion,
  { usage, patience, log }: ByModelDeps,
  signal: AbortSignal,
): Pieces<boolean> {
  const { configured, breaker, health } = model;
  const { question, suggestions, suggestionsIfRefused, why, judge } = asked;
  const { language } = question;
  const seen = await lookAt(question.files ?? [], configured, asked);
  if (signal.aborted) return true;
  const notes = [
    ...(seen.tooLarge.length > 0 ? [textOf('pictures_too_large', named(seen.tooLarge))(language)] : []),
    ...(seen.unseen.length > 0
      ? [textOf('pictures_unseen', { ...named(seen.unseen), model: configured.name })(language)]
      : []),
  ];
  if (seen.isNothing) {
    yield { kind: 'text', text: notes.join('\n\n') };
    yield { kind: 'final', source: 'none', citations: [], suggestions: [], ...judge?.([]) };
    return true;
  }

  const read = () => {
    const prompt = createPrompt({
      ...question,
      passages: asked.passages,
      images: seen.images,
      isSummary: question.isSummary ?? false,
      contextTokens: model.contextTokens,
    });
    const nothing = asked.nothingFound ?? nothingFound(language);
    const known = seen.images.length > 0 ? null : [question.text, ...prompt.said];
    return readAnswer(model, { prompt, nothing, language, known }, patience, signal);
  };
  let reading = read();
  const share = await usage.take(question.owner, reading.promptTokens + expectedTokens);
  if (!share) {
    yield { kind: 'text', text: paragraphs(textOf('over_limit', { count: usage.hoursLeft() })(language)) };
    return false;
  }
  const by = { model: configured.name, ...(why ? { why } : {}) };
  const trial = breaker.enter();
  try {
    if (!trial) throw new EndpointFailure(health.lastOwn ?? 'unreachable');
    try {
      yield* signed(reading.pieces(), by, paragraphs(...notes));
    } catch (failure) {
      if (signal.aborted || !isTooLong(failure) || reading.hasSaid) throw failure;
      // The reduced context also applies to all later questions of this process.
      model.contextTokens = Math.max(minContext, Math.floor(reading.promptTokens / 2));
      log.warn(
        { model: configured.name, contextTokens: model.contextTokens },
        'a model takes less than was configured',
      );
      reading = read();
      yield* signed(reading.pieces(), by, paragraphs(...notes));
    }
    if (signal.aborted) return true;
    if (reading.isCutShort) {
      yield { kind: 'text', text: `\n\n${textOf('cut_short')(language)}` };
      report('length', null);
    }
    trial.succeeded();
    health.answered();
    await reading.settle(share);
    const { citations, hasRefused } = reading;
    const doubts = hasRefused ? [] : reading.doubts(paragraphs(...notes).length);
    yield {
      kind: 'final',
      source: hasRefused ? 'none' : 'model',
      citations,
      suggestions: hasRefused ? suggestionsIfRefused : citations.length === 0 ? suggestions : [],
      ...by,
      ...(doubts.length > 0 ? { doubts } : {}),
      ...judge?.(citations),
    };
    return true;
  } catch (failure) {
    if (signal.aborted) return true;
    const { kind, isQuestions, retryAfterMs, status } = failureOf(failure);
    if (isQuestions) trial?.dropped();
    else trial?.failed(retryAfterMs);
    if (trial) report(kind, status, failure);
    if (reading.hasSaid) throw Object.assign(modelFailed(kind), { cause: failure });
    // The extracted answer follows, and reports unreadable files itself.
    const reason = textOf(`before_${kind}`, { model: plainName(configured.name) });
    yield { kind: 'text', text: paragraphs(textOf('instead', { reason })(language)) };
    return false;
  } finally {
    trial?.dropped();
    await reading.settle(share);
  }

  function report(kind: ModelFailureKind, status: number | null, err?: unknown): void {
    health.failed(kind, status);
    const { isConfiguration, operators } = modelFailures[kind];
    const line = { model: configured.name, kind, status, advice: operators, ...(err ? { err } : {}) };
    log[isConfiguration ? 'error' : 'warn'](line, err ? 'a model failed' : 'an answer was cut short');
  }
}

/** Number and names of pictures, for a text about them. */
function named(names: readonly string[]): { count: number; names: Text } {
  const quoted = names.map((name) => `“${plainName(name)}”`);
  return { count: names.length, names: listOf(quoted) };
}

/** Adds `before` and `by` to the first text. */
async function* signed(pieces: AsyncIterable<AnswerPiece>, by: AnsweredBy, before: string): Pieces {
  let isFirst = true;
  for await (const piece of pieces) {
    if (piece.kind !== 'text' || !isFirst) yield piece;
    else {
      isFirst = false;
      yield { ...piece, text: before + piece.text, by };
    }
  }
}

function isTooLong(failure: unknown): boolean {
  return failure instanceof EndpointFailure && failure.kind === 'too_long';
}

function paragraphs(...lines: string[]): string {
  return lines.map((line) => `${line}\n\n`).join('');
}

/** Reads the pictures for the model, and collects the names of those that it cannot see. */
async function lookAt(files: readonly QuestionFile[], { vision }: ConfiguredModel, asked: ModelQuestion) {
  const pictures = files.filter(({ readImage }) => readImage !== null);
  const shown = vision ? await readImages(pictures) : { images: [], tooLarge: [] };
  const unseen = vision ? [] : pictures.filter(({ documentId }) => documentId === null);
  const lost = [...shown.tooLarge, ...unseen.map(({ name }) => name)];
  return {
    ...shown,
    unseen: unseen.map(({ name }) => name),
    /** Whether the question has only pictures, none of which can be read. */
    isNothing: lost.length > 0 && lost.length === files.length && asked.passages.length === 0,
  };
}

/** Reads one answer: separates reasoning, and checks and renumbers citations in the order of the answer. */
function readAnswer(
  model: AskedModel,
  asked: { prompt: Prompt; nothing: string } & Pick<CheckedAnswer, 'language' | 'known'>,
  patience: ModelPatience,
  signal: AbortSignal,
) {
  const { prompt, nothing, language, known } = asked;
  const { citations, cited, resolve } = createCited(prompt.passages);
  const splitter = createReasoningSplitter(model.thinksUnopened);
  const toolCalls = createToolCallGate();
  const refusal = createRefusalGate();
  const gate = inSeries([toolCalls, refusal, createWholeCharacters(), createCitationGate(resolve)]);
  const spoken: string[] = [];
  const shownPieces: string[] = [];
  let thought = 0;
  let tokens: number | null = null;
  /** Length of the answer in UTF-16 units. */
  let said = 0;
  let end: AnswerEnd | null = null;
  let hasToolCall = false;
  let sentCitations = 0;

  /** White space before the first word is dropped. */
  function toPiece(text: string): AnswerPiece | null {
    const shown = (said > 0 ? text : text.trimStart()).slice(0, maxAnswerLength - said);
    if (shown === '') return null;
    said += shown.length;
    shownPieces.push(shown);
    const cites = citations.slice(sentCitations);
    sentCitations = citations.length;
    return { kind: 'text', text: shown, ...(cites.length > 0 ? { cites } : {}) };
  }

  async function* pieces(): Pieces {
    for await (const delta of streamModel(model.endpoint, prompt.messages, patience, signal)) {
      tokens = delta.tokens ?? tokens;
      end ??= delta.end;
      hasToolCall ||= delta.hasToolCall;
      if (delta.content === '' && delta.reasoning === '') continue;
      spoken.push(delta.reasoning, delta.content);
      const parts = splitter.take(delta.content);
      const reasoning = delta.reasoning + parts.thought;
      thought += reasoning.length;
      if (thought > maxThoughtLength) throw new EndpointFailure('endless_reasoning');
      if (reasoning !== '') yield { kind: 'reasoning', text: reasoning };
      const piece = toPiece(gate.take(parts.said));
      if (piece) yield piece;
      if (said >= maxAnswerLength) throw new EndpointFailure('answer_too_long');
    }
    if (signal.aborted) return;
    const rest = splitter.rest();
    model.thinksUnopened = splitter.isUnopened;
    if (rest.thought !== '') yield { kind: 'reasoning', text: rest.thought };
    const last = toPiece(gate.take(rest.said) + gate.rest());
    if (last) yield last;
    const failure = failureAtEnd();
    if (failure) throw new EndpointFailure(failure);
    if (said === 0) yield { kind: 'text', text: nothing };
  }

  function failureAtEnd(): ModelFailureKind | null {
    if (end === 'content_filter') return 'content_filter';
    if (end === 'error') return 'server_error';
    if (end === 'tool_call' || toolCalls.hasCall) return 'tool_call';
    if (said > 0 || refusal.hasRefused) return null;
    if (hasToolCall) return 'tool_call';
    return end === 'length' ? 'length' : 'empty';
  }

  return {
    pieces,
    citations,
    promptTokens: prompt.tokens,
    /** What the answer says without support; `from` is the position of the answer in the shown text. */
    doubts: (from: number) =>
      findDoubts({ text: shownPieces.join(''), cited, language, known }).map(({ kind, start, end }) => ({
        kind,
        start: start + from,
        end: end + from,
      })),
    get hasSaid() {
      return said > 0;
    },
    get isCutShort() {
      return end === 'length';
    },
    get hasRefused() {
      return refusal.hasRefused;
    },
    /** Counts the tokens, estimated if the endpoint did not report them. An empty answer costs nothing. */
    settle: (share: UsageShare) =>
      share.settle(
        spoken.length === 0 ? 0 : (tokens ?? prompt.tokens + countTokens(spoken.join(''))),
        model.configured.name,
      ),
  };
}

/** Numbers passages in the order of their first citation, with a quote that supports the cited sentence. */
function createCited(passages: readonly KnowledgePassage[]) {
  const citations: Citation[] = [];
  const cited: KnowledgePassage[] = [];
  const numbers = new Map<number, number>();
  return {
    citations,
    /** The passages of `citations`. */
    cited,
    resolve(number: number, shown: string): number | null {
      const passage = passages[number - 1];
      if (passage === undefined) return null;
      const known = numbers.get(number);
      if (known !== undefined) return known;
      citations.push(citationOf(passage, supportFor(passage, shown)));
      cited.push(passage);
      numbers.set(number, citations.length);
      return citations.length;
    },
  };
}
