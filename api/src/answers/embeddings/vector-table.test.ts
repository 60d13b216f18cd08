import { expect, test } from '@jest/globals';
import { packVector } from './pack-vector.ts';
import { createVectorTable, numbersOf } from './vector-table.ts';

/** Vectors of 96 numbers around some subjects, as those of texts are; the same in every run. */
function makeVectors(count: number): Float32Array[] {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const subjects = Array.from({ length: 40 }, () => Float32Array.from({ length: 96 }, random));
  return Array.from({ length: count }, (_, at) => {
    const vector = subjects[at % subjects.length]!.map((one) => one + random());
    const length = Math.hypot(...vector);
    return vector.map((one) => one / length);
  });
}

function fill(vectors: readonly Float32Array[], limits?: Parameters<typeof createVectorTable>[1]) {
  const table = createVectorTable(96, limits);
  for (const [at, vector] of vectors.entries()) table.put(`p${at}`, packVector(vector));
  return table;
}

test('of many vectors nearly all of the nearest are found by their signs', () => {
  const vectors = makeVectors(20_000);
  const exact = fill(vectors);
  const bySigns = fill(vectors, { maxInFull: 0, nearRows: 0, nearShare: 0.05 });
  const questions = makeVectors(60).slice(20);

  const shares = questions.map((question) => {
    const asked = numbersOf(question);
    const nearest = exact.nearest(asked, 12);
    const found = new Set(bySigns.nearest(asked, 12));
    expect(found.size).toBe(12);
    return nearest.filter((id) => found.has(id)).length / 12;
  });

  expect(shares.reduce((sum, one) => sum + one) / shares.length).toBeGreaterThan(0.95);
});

test('the nearest come first, whatever block of memory they are in', () => {
  const vectors = makeVectors(20_000);
  const asked = numbersOf(vectors[19_999]!);
  for (const table of [fill(vectors), fill(vectors, { maxInFull: 0, nearRows: 0, nearShare: 0.05 })]) {
    const ids = table.nearest(asked, 5);
    expect(ids[0]).toBe('p19999');
    const cosines = ids.map((id) => table.cosine(asked, id));
    expect(cosines).toEqual(cosines.toSorted((one, other) => other - one));
  }
});

test('a vector that is put again replaces the earlier one', () => {
  const [first, second] = makeVectors(2) as [Float32Array, Float32Array];
  const table = fill([first], { maxInFull: 0, nearRows: 5, nearShare: 1 });
  table.put('p0', packVector(second));
  expect(table.nearest(numbersOf(second), 5)).toEqual(['p0']);
  expect(table.cosine(numbersOf(second), 'p0')).toBeCloseTo(1, 2);
});

test('vectors of other dimensions are neither stored nor compared', () => {
  const table = fill(makeVectors(3));
  table.put('other', packVector(new Float32Array(32).fill(0.1)));
  expect(table.cosine(numbersOf(makeVectors(1)[0]!), 'other')).toBeNaN();
  expect(table.nearest(numbersOf(new Float32Array(32).fill(0.1)), 5)).toEqual([]);
});
