/**
 * Makes `api/word-vectors/neighbours.bin` from the vectors beside it: `node tests/bench/retrieval/word-vectors/neighbours.ts`, eight minutes. For each word of
 * `words.txt` the nearest of its language, nearest first: its row (16 bits, little-endian) and its cosine in 255ths; zeros if there are fewer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { minNear, neighboursOfWord } from '../../../../api/src/answers/embeddings/word-vectors.ts';

const folder = new URL('../../../../api/word-vectors/', import.meta.url);
const words = readFileSync(new URL('words.txt', folder), 'utf8').trim().split('\n');
const table = readFileSync(new URL('vectors.bin', folder));
const rowBytes = table.length / words.length;
const scaleBytes = 4;
const dimensions = rowBytes - scaleBytes;
const vectors = new Float32Array(words.length * dimensions);
for (let row = 0; row < words.length; row += 1) {
  const own = Array.from({ length: dimensions }, (_, at) => table.readInt8(row * rowBytes + scaleBytes + at));
  const length = Math.hypot(...own) || 1;
  vectors.set(
    own.map((one) => one / length),
    row * dimensions,
  );
}

function cosine(one: number, other: number): number {
  const [a, b] = [one * dimensions, other * dimensions];
  let sum = 0;
  for (let at = 0; at < dimensions; at += 1) sum += vectors[a + at]! * vectors[b + at]!;
  return sum;
}

const firstChinese = words.findIndex((word) => /\p{Script=Han}/u.test(word));
const near: { row: number; cosine: number }[][] = words.map(() => []);
for (const [from, to] of [
  [0, firstChinese],
  [firstChinese, words.length],
] as const)
  for (let one = from; one < to; one += 1)
    for (let other = one + 1; other < to; other += 1) {
      const found = cosine(one, other);
      if (found < minNear) continue;
      near[one]!.push({ row: other, cosine: found });
      near[other]!.push({ row: one, cosine: found });
    }

// A single Chinese character is in too many words.
const isWord = ({ row }: { row: number }) => row < firstChinese || words[row]!.length > 1;
const bytes = Buffer.alloc(words.length * neighboursOfWord * 3);
for (const [word, some] of near.entries())
  for (const [at, { row, cosine }] of some
    .filter(isWord)
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, neighboursOfWord)
    .entries()) {
    const start = (word * neighboursOfWord + at) * 3;
    bytes.writeUInt16LE(row, start);
    bytes[start + 2] = Math.floor(255 * cosine);
  }
writeFileSync(new URL('neighbours.bin', folder), bytes);
