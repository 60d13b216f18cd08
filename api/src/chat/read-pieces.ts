import { type AnswerPiece, maxAnswerLength } from '../answers/answerer.ts';
import { judgementOf } from '../answers/judgement.ts';
import { modelFailed } from '../errors/errors.ts';
import { createWholeCharacters } from '../text/text-gate.ts';
import type { AnswerLog, AnswerOutcome } from './answer-log.ts';

/**
 * Appends an answer's pieces to `log`. Ends immediately when `signal` aborts, even if the answerer ignores
 * it; the outcome is then `stopped`.
 * @throws the errors of the answerer, and `modelFailed` if its pieces end without a final one or never end.
 */
export async function readPieces(
  begin: (signal: AbortSignal) => AsyncIterable<AnswerPiece>,
  log: AnswerLog,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const characters = createWholeCharacters();
  const thoughts = createWholeCharacters();
  let final: AnswerOutcome | null = null;
  let audience: string[] = [];
  for await (const piece of untilAborted(begin(signal), signal)) {
    if (piece.kind === 'text') {
      const text = characters.take(piece.text);
      const room = maxAnswerLength - log.length;
      const fitting = text.length > room ? text.slice(0, room).replace(/[\ud800-\udbff]$/, '') : text;
      log.append(fitting, piece.cites, piece.by);
      if (text.length > room) throw modelFailed('answer_too_long');
    } else if (piece.kind === 'reasoning') {
      log.addReasoning(thoughts.take(piece.text));
    } else if (piece.kind === 'collections') {
      for (const id of piece.ids) log.collections.add(id);
    } else if (piece.kind === 'audience') {
      audience = [...piece.ids];
    } else {
      const { source, citations, suggestions, model = '', why = null } = piece;
      const said = { answer: '', source, ...judgementOf(piece), citations, suggestions, model };
      final = { status: 'done', ...said, reasoning: '', why };
    }
  }
  log.append(characters.rest().slice(0, maxAnswerLength - log.length));
  if (!final && !signal.aborted) throw modelFailed();
  if (!final) return partialOutcome(log, 'stopped');
  const collections = [...log.collections];
  return { ...final, answer: log.text(), reasoning: log.reasoning(), collections, audience };
}

export function partialOutcome(log: AnswerLog, status: 'stopped' | 'failed'): AnswerOutcome {
  return {
    status,
    answer: log.text(),
    source: 'none',
    outcome: 'nothing',
    citations: [...log.citations],
    collections: [...log.collections],
    suggestions: [],
    model: log.by?.model ?? '',
    reasoning: log.reasoning(),
    why: log.by?.why ?? null,
  };
}

async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let leave: () => void = () => undefined;
  const onAbort = () => leave();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      // A new promise per piece: racing against one long-lived promise would retain every piece.
      const next = await new Promise<IteratorResult<T> | null>((resolve, reject) => {
        leave = () => resolve(null);
        iterator.next().then(resolve, reject);
      });
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a hanging answerer must not delay the end.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
