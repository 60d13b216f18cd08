import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { maxReasoningLength } from '../answers/answerer.ts';
import { type AnswerLog, type AnswerOutcome, createAnswerLog } from './answer-log.ts';

const ended: AnswerOutcome = {
  status: 'done',
  answer: '',
  source: 'none',
  outcome: 'nothing',
  citations: [],
  suggestions: [],
  model: '',
  reasoning: '',
  why: null,
};

async function read(log: AnswerLog, from: number): Promise<string> {
  let text = '';
  for await (const progress of log.follow(from, new AbortController().signal)) {
    if (progress.kind === 'text') {
      text += progress.text;
      expect(progress.end).toBe(from + text.length);
    }
  }
  return text;
}

test('every reader gets everything after its position, whenever it connects', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 12 }),
      fc.array(fc.record({ from: fc.nat(40), when: fc.nat(12) }), { maxLength: 6 }),
      async (pieces, readers) => {
        const log = createAnswerLog();
        const whole = pieces.join('');
        const reads: Promise<[string, string]>[] = [];
        for (let at = 0; at <= pieces.length; at += 1) {
          for (const { from, when } of readers) {
            if (Math.min(when, pieces.length) !== at) continue;
            const unit = Math.min(from, whole.length);
            reads.push(read(log, unit).then((text) => [text, whole.slice(unit)]));
          }
          if (at < pieces.length) log.append(pieces[at] ?? '');
          if (at % 2 === 0) await Promise.resolve();
        }
        log.end(ended);
        for (const [text, expected] of await Promise.all(reads)) expect(text).toBe(expected);
        expect(log.text()).toBe(whole);
      },
    ),
  );
});

test('a slow reader gets the missed text as one piece', async () => {
  const log = createAnswerLog();
  const reader = log.follow(0, new AbortController().signal);
  log.append('a');
  expect((await reader.next()).value).toEqual({ kind: 'text', text: 'a', end: 1 });
  for (let count = 0; count < 1000; count += 1) log.append('b');
  expect((await reader.next()).value).toEqual({ kind: 'text', text: 'b'.repeat(1000), end: 1001 });
});

test('a reader far behind gets limited parts', async () => {
  const log = createAnswerLog();
  for (let count = 0; count < 500; count += 1) log.append('c'.repeat(100));
  log.end(ended);
  const lengths: number[] = [];
  for await (const progress of log.follow(50, new AbortController().signal)) {
    if (progress.kind === 'text') lengths.push(progress.text.length);
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(16_384);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(49_950);
});

test('a disconnected reader is released, although no more text arrives', async () => {
  const log = createAnswerLog();
  const left = new AbortController();
  const reader = log.follow(0, left.signal);
  const next = reader.next();
  left.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});

test("the first 20,000 units of a model's reasoning are kept, without splitting a character", () => {
  const log = createAnswerLog();
  log.addReasoning('a'.repeat(maxReasoningLength - 1));
  log.addReasoning('😀 and more');
  log.addReasoning('and more');
  expect(log.reasoning()).toBe(`${'a'.repeat(maxReasoningLength - 1)}\ufffd`);
  expect(maxReasoningLength).toBe(20_000);
});

test('waiting for many pieces leaves no listeners on the signal of a reader', async () => {
  const log = createAnswerLog();
  const { signal } = new AbortController();
  const reader = log.follow(0, signal);
  for (let count = 0; count < 50; count += 1) {
    const next = reader.next();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    if (count % 2) log.addReasoning('r');
    else log.append('a');
    await next;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  }
  log.end(ended);
  expect((await reader.next()).value).toMatchObject({ kind: 'end' });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
