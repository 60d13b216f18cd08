import type { Logger } from 'pino';
import type { ConfiguredModel } from '../../configured-models.ts';
import type { Citation } from '../../contract.ts';
import { modelFailed } from '../../errors.ts';
import type { UsageCount, UsageShare } from '../../services/model-usage.ts';
import type { AnswerPiece, QuestionFile } from '../answerer.ts';
import { citationOf, type PassageText } from '../extract-answer.ts';
import { createWholeCharacters } from '../whole-characters.ts';
import type { Breaker } from './breaker.ts';
import { createCitationGate } from './citation-gate.ts';
import { countTokens } from './count-tokens.ts';
import type { Endpoint } from './endpoint.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import { readImages } from './image-parts.ts';
import type { ModelQuestion } from './model-answers.ts';
import { createPrompt, type Prompt } from './model-prompt.ts';
import type { ModelPatience } from './model-settings.ts';
import { modelWords } from './model-words.ts';
import { createReasoningSplitter } from './split-reasoning.ts';
import { streamModel } from './stream-model.ts';
import { supportFor } from './support-for.ts';

/** A model with what is known of it in this process. */
export interface AskedModel {
  configured: ConfiguredModel;
  endpoint: Endpoint;
  breaker: Breaker;
  /** Its last answer began with a thought that nothing opened. */
  thinksUnopened: boolean;
}

export interface ByModelDeps {
  usage: UsageCount;
  patience: ModelPatience;
  log: Logger;
}

/** A model that has thought so much without a word will not come to an answer. UTF-16 units. */
const longestThought = 400_000;
/** What an answer is expected to come to, for the day's limit. */
const expectedTokens = 800;

/** See `ModelAnswers.answer`. */
export async function* answerByModel(
  model: AskedModel,
  asked: ModelQuestion,
  { usage, patience, log }: ByModelDeps,
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece, boolean, undefined> {
  const { configured, breaker } = model;
  const { question, language, suggestions, why } = asked;
  const words = modelWords[language];
  const seen = await lookAt(question.files ?? [], configured, asked);
  if (signal.aborted) return true;
  const told = [
    seen.tooLarge.length > 0 ? words.tooLarge(seen.tooLarge) : '',
    seen.unseen.length > 0 ? words.unseen(seen.unseen, configured.name) : '',
  ].flatMap((line) => line || []);
  if (seen.isNothing) {
    yield { kind: 'text', text: told.join('\n\n') };
    yield { kind: 'final', source: 'none', citations: [], suggestions: [], ...(why ? { why } : {}) };
    return true;
  }

  const prompt = createPrompt({
    ...question,
    language,
    passages: asked.passages,
    images: seen.images,
    isSummary: question.isSummary ?? false,
    contextTokens: configured.contextTokens,
  });
  const share = await usage.take(question.owner, prompt.tokens + expectedTokens);
  if (!share) {
    yield { kind: 'text', text: paragraphs(words.overLimit(usage.hoursLeft())) };
    return false;
  }
  const trial = breaker.enter();
  const reading = readAnswer(model, prompt, patience, signal);
  try {
    if (!trial) throw new EndpointFailure('the model is not asked for now: it failed repeatedly');
    let isFirst = true;
    for await (const piece of reading.pieces()) {
      if (piece.kind === 'text' && isFirst) {
        isFirst = false;
        const by = { model: configured.name, ...(why ? { why } : {}) };
        yield { ...piece, text: paragraphs(...told) + piece.text, by };
      } else yield piece;
    }
    if (signal.aborted) return true;
    if (reading.isCutShort) yield { kind: 'text', text: `\n\n${words.cutShort}` };
    trial.succeeded();
    await reading.settle(share);
    const { citations } = reading;
    const { name } = configured;
    yield { kind: 'final', source: 'model', citations, suggestions, model: name, ...(why ? { why } : {}) };
    return true;
  } catch (failure) {
    if (signal.aborted) return true;
    if (failure instanceof EndpointFailure && failure.isQuestions) trial?.dropped();
    else trial?.failed();
    if (trial) log.warn({ model: configured.name, err: failure }, 'a model failed');
    if (reading.hasSaid) throw Object.assign(modelFailed(), { cause: failure });
    // Which files nobody could read, the knowledge base tells itself.
    yield { kind: 'text', text: paragraphs(words.silent(configured.name)) };
    return false;
  } finally {
    trial?.dropped();
    await reading.settle(share);
  }
}

function paragraphs(...lines: string[]): string {
  return lines.map((line) => `${line}\n\n`).join('');
}

/** The pictures for the model, and those that neither it nor anybody else can read. */
async function lookAt(files: readonly QuestionFile[], { vision }: ConfiguredModel, asked: ModelQuestion) {
  const pictures = files.filter(({ readImage }) => readImage !== null);
  const shown = vision ? await readImages(pictures) : { images: [], tooLarge: [] };
  const unseen = vision ? [] : pictures.filter(({ documentId }) => documentId === null);
  const lost = [...shown.tooLarge, ...unseen.map(({ name }) => name)];
  return {
    ...shown,
    unseen: unseen.map(({ name }) => name),
    /** The question is about pictures alone, and nothing of them can be read. */
    isNothing: lost.length > 0 && lost.length === files.length && asked.passages.length === 0,
  };
}

/** Reads one answer: thoughts apart, citations checked. Numbers of passages become those in the order in which they are cited. */
function readAnswer(model: AskedModel, prompt: Prompt, patience: ModelPatience, signal: AbortSignal) {
  const { citations, resolve } = createCited(prompt.passages);
  const gate = createCitationGate(resolve);
  const splitter = createReasoningSplitter(model.thinksUnopened);
  const characters = createWholeCharacters();
  const spoken: string[] = [];
  let thought = 0;
  let tokens: number | null = null;
  let hasSaid = false;
  let isCutShort = false;
  let told = 0;

  /** The answer begins with its first word. */
  function toPiece(text: string): AnswerPiece | null {
    const shown = hasSaid ? text : text.trimStart();
    if (shown === '') return null;
    hasSaid = true;
    const cites = citations.slice(told);
    told = citations.length;
    return { kind: 'text', text: shown, ...(cites.length > 0 ? { cites } : {}) };
  }

  async function* pieces(): AsyncGenerator<AnswerPiece, void, undefined> {
    for await (const delta of streamModel(model.endpoint, prompt.messages, patience, signal)) {
      tokens = delta.tokens ?? tokens;
      isCutShort ||= delta.isCutShort;
      if (delta.content === '' && delta.reasoning === '') continue;
      spoken.push(delta.reasoning, delta.content);
      const parts = splitter.take(delta.content);
      const reasoning = delta.reasoning + parts.thought;
      thought += reasoning.length;
      if (thought > longestThought) throw new EndpointFailure('the model thought without end');
      if (reasoning !== '') yield { kind: 'reasoning', text: reasoning };
      const piece = parts.said === '' ? null : toPiece(gate.take(characters.take(parts.said)));
      if (piece) yield piece;
    }
    if (signal.aborted) return;
    const rest = splitter.rest();
    model.thinksUnopened = splitter.isUnopened;
    if (rest.thought !== '') yield { kind: 'reasoning', text: rest.thought };
    const last = toPiece(gate.take(characters.take(rest.said) + characters.rest()) + gate.rest());
    if (last) yield last;
    if (!hasSaid) throw new EndpointFailure('the model said nothing', { isQuestions: true });
  }

  return {
    pieces,
    citations,
    get hasSaid() {
      return hasSaid;
    },
    get isCutShort() {
      return isCutShort;
    },
    /** Of an answer that broke off the tokens were not told. Without a word it costs the asker nothing. */
    settle: (share: UsageShare) =>
      share.settle(spoken.length === 0 ? 0 : (tokens ?? prompt.tokens + countTokens(spoken.join('')))),
  };
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
