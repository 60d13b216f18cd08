import { readFileSync } from 'node:fs';
import { scaleBytes } from './pack-vector.ts';
import { wordsOf } from './words-of.ts';

/** Vectors of the words of both languages (`api/word-vectors`): the nearer two words in meaning, the larger the cosine. */
export interface WordVectors {
  /** The sum of the vectors of a text's words, of length 1; zeros if none is known. */
  vectorOf(text: string): Float32Array;
}

const folder = new URL('../../../word-vectors/', import.meta.url);
let opened: WordVectors | null = null;

/** The vectors in `api/word-vectors`, read once in a process. */
export function wordVectors(): WordVectors {
  opened ??= readWordVectors();
  return opened;
}

/** Reads a line for each word, and their packed vectors in the same order (`pack-vector.ts`). */
function readWordVectors(): WordVectors {
  const words = readFileSync(new URL('words.txt', folder), 'utf8').trim().split('\n');
  const rowOf = new Map(words.map((word, at) => [word, at]));
  const table = readFileSync(new URL('vectors.bin', folder));
  const numbers = new Int8Array(table.buffer, table.byteOffset, table.length);
  const rowBytes = table.length / words.length;
  const dimensions = rowBytes - scaleBytes;
  return {
    vectorOf(text) {
      const sum = new Float32Array(dimensions);
      for (const word of wordsOf(text, rowOf)) {
        const row = rowOf.get(word)! * rowBytes;
        const scale = table.readFloatLE(row);
        for (let at = 0; at < dimensions; at += 1) sum[at]! += scale * numbers[row + scaleBytes + at]!;
      }
      const length = Math.sqrt(dot(sum, sum)) || 1;
      return sum.map((one) => one / length);
    },
  };
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}
