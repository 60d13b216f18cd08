import { expect, test } from '@jest/globals';
import { withComments } from './with-comments.ts';

test('sends comments during a pause and loses no event', async () => {
  const gate = Promise.withResolvers<void>();
  async function* events() {
    yield 'one';
    await gate.promise;
    yield 'two';
  }
  const stream = withComments(events(), 5, new AbortController().signal);
  const seen: unknown[] = [];
  for (let count = 0; count < 3; count += 1) seen.push((await stream.next()).value);
  gate.resolve();
  for await (const text of stream) seen.push(text);
  expect(seen.filter((text) => !String(text).startsWith(': '))).toEqual(['one', 'two']);
  expect(seen.slice(1, 3)).toEqual([': still here\n\n', ': still here\n\n']);
});

test('requests the next event only when it is asked for one', async () => {
  let made = 0;
  async function* events() {
    for (;;) yield String(++made);
  }
  const stream = withComments(events(), 1000, new AbortController().signal);
  await stream.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(1);
  await stream.next();
  expect(made).toBe(2);
  await stream.return(undefined);
});
