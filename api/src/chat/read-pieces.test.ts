import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { type AnswerPiece, maxAnswerLength } from '../answers/answerer.ts';
import { createPipe, final } from '../testing/scripted-answerer.ts';
import { createAnswerLog } from './answer-log.ts';
import { readPieces } from './running-answers.ts';

const of = (...pieces: AnswerPiece[]) =>
  async function* () {
    yield* pieces;
  };
const text = (said: string): AnswerPiece => ({ kind: 'text', text: said });

test('the outcome of an answer has its whole text, and nothing listens to the signal afterwards', async () => {
  const { signal } = new AbortController();
  const log = createAnswerLog();
  const begin = of(text('one '), { kind: 'reasoning', text: 'hm' }, text('two'), final);
  expect(await readPieces(begin, log, signal)).toMatchObject({
    status: 'done',
    answer: 'one two',
    reasoning: 'hm',
    source: 'document',
  });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an answer without a final piece fails, and nothing listens to the signal afterwards', async () => {
  const { signal } = new AbortController();
  await expect(readPieces(of(text('half')), createAnswerLog(), signal)).rejects.toMatchObject({
    status: 502,
  });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an answer that is too long ends at the limit, and its answerer is ended', async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield text('0123456789'.repeat(1000));
    } finally {
      isEnded = true;
    }
  }
  const log = createAnswerLog();
  const reading = readPieces(endless, log, new AbortController().signal);
  await expect(reading).rejects.toMatchObject({ key: 'model_answer_too_long' });
  expect(log.length).toBe(maxAnswerLength);
  expect(isEnded).toBe(true);
});

test('an answer that is too long does not end within a character', async () => {
  const log = createAnswerLog();
  const long = text(`${'a'.repeat(maxAnswerLength - 1)}😀`);
  await expect(readPieces(of(long), log, new AbortController().signal)).rejects.toMatchObject({
    status: 502,
  });
  expect(log.text().isWellFormed()).toBe(true);
  expect(log.length).toBe(maxAnswerLength - 1);
});

test('a stop ends at once with the text so far, though the answerer hangs, and lets it end', async () => {
  const pipe = createPipe();
  const abort = new AbortController();
  const log = createAnswerLog();
  let isReturned = false;
  const begin = (signal: AbortSignal) => {
    const pieces = pipe.script({} as never, new AbortController().signal)[Symbol.asyncIterator]();
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => pieces.next(),
        return: async () => {
          isReturned = signal.aborted;
          return { done: true as const, value: undefined };
        },
      }),
    };
  };
  const reading = readPieces(begin, log, abort.signal);
  pipe.say('so far');
  await log.follow(0, abort.signal).next();
  abort.abort();
  expect(await reading).toMatchObject({ status: 'stopped', answer: 'so far', source: 'none' });
  expect(isReturned).toBe(true);
  expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
});
