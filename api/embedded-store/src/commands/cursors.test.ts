import { expect, test } from '@jest/globals';
import { encode } from '../bson/codec.ts';
import { createCursors } from './cursors.ts';

const minute = 60_000;

/** An open cursor whose documents come one pull at a time; an empty list is a step without a result. */
function open(...pulls: (Buffer[] | Error)[]) {
  const cursors = createCursors();
  const source = {
    pull() {
      const next = pulls.shift();
      if (next instanceof Error) throw next;
      return next;
    },
  };
  const first = cursors.first('db.c', source, { batchSize: 0, single: false }).next();
  // The reply names the cursor: { cursor: { firstBatch, id, … } }.
  const reply = first.value as Buffer;
  const id = reply.readBigInt64LE(reply.indexOf('\x12id\0', 0, 'latin1') + 4);
  return { cursors, id };
}

const doc = encode({ a: true });

test('a cursor that is read refuses another reader, and serves the next one afterwards', () => {
  const { cursors, id } = open([], [doc], [doc], []);
  const reading = cursors.next(id, 'db.c', 1);
  expect(reading.next().done).toBe(false);
  expect(() => cursors.next(id, 'db.c', 1).next()).toThrow(`cursor id ${id} is already in use`);
  expect(cursors.open()).toBe(1);

  expect(reading.next().done).toBe(true);
  expect(cursors.next(id, 'db.c', 1).next().done).toBe(true);
});

test('a cursor that failed is removed, and one of another namespace is refused', () => {
  const { cursors, id } = open(new Error('the source failed'));
  expect(() => cursors.next(id, 'db.other', 1).next()).toThrow('belongs to a different namespace db.c');
  expect(cursors.open()).toBe(1);
  expect(() => cursors.next(id, 'db.c', 1).next()).toThrow('the source failed');
  expect(() => cursors.next(id, 'db.c', 1).next()).toThrow(`cursor id ${id} not found`);
});

test('ends cursors that were not used for ten minutes, never one that is being read', () => {
  const { cursors, id } = open([], [doc]);
  const now = Date.now();
  cursors.endIdle(now + 9 * minute);
  expect(cursors.open()).toBe(1);
  const reading = cursors.next(id, 'db.c', 1);
  reading.next();
  cursors.endIdle(now + 60 * minute);
  expect(cursors.open()).toBe(1);
  reading.next();
  cursors.endIdle(Date.now() + 11 * minute);
  expect(cursors.open()).toBe(0);
});

test('reading a cursor counts as use', () => {
  const { now } = Date;
  const begin = now();
  const { cursors, id } = open([doc], [doc]);
  try {
    Date.now = () => begin + 9 * minute;
    cursors.next(id, 'db.c', 1).next();
  } finally {
    Date.now = now;
  }
  cursors.endIdle(begin + 18 * minute);
  expect(cursors.open()).toBe(1);
  cursors.endIdle(begin + 20 * minute);
  expect(cursors.open()).toBe(0);
});
