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

function fill(vectors: readonly Float32Array[]) {
  const table = createVectorTable(96);
  for (const [at, vector] of vectors.entries()) table.put(`p${at}`, packVector(vector));
  return table;
}

test('the nearest come first, whatever block of memory they are in', () => {
  const vectors = makeVectors(20_000);
  const asked = numbersOf(vectors[19_999]!);
  const table = fill(vectors);
  const ids = table.nearest(asked, 5);
  expect(ids[0]).toBe('p19999');
  const cosines = ids.map((id) => table.cosine(asked, id));
  expect(cosines).toEqual(cosines.toSorted((one, other) => other - one));
});

test('a vector that is put again replaces the earlier one', () => {
  const [first, second] = makeVectors(2) as [Float32Array, Float32Array];
  const table = fill([first]);
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

test('products are those of the packed numbers, whatever the dimensions', () => {
  for (const dimensions of [1, 8, 13]) {
    const table = createVectorTable(dimensions);
    const rows = makeVectors(3).map((one) => one.slice(0, dimensions));
    for (const [at, row] of rows.entries()) table.put(`p${at}`, packVector(row));
    const [asked, ...others] = rows.map(numbersOf);
    for (const [at, one] of others.entries()) {
      const product = one.numbers.reduce((sum, number, place) => sum + number * asked!.numbers[place]!, 0);
      expect(table.cosine(asked!, `p${at + 1}`)).toBeCloseTo(product * asked!.scale * one.scale, 6);
    }
  }
});
