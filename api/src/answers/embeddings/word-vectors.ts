import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { scaleBytes } from './pack-vector.ts';
import { wordsOf } from './words-of.ts';

/** Sizes of the caches of `vectorOf` (about 2 MB) and `nearestIn` (about 4 MB), in texts. */
const maxVectors = 2000;
const maxTexts = 2000;
/** Number of neighbours of a word in `neighbours.bin`, and the minimum of their cosines. */
export const neighboursOfWord = 8;
export const minNear = 0.42;

/** Rank by frequency from which on words have the rarity 1. */
const rarestRank = 20_000;

const isHan = /\p{Script=Han}/u;
const folder = new URL('../../../word-vectors/', import.meta.url);
let opened: ReturnType<typeof readWordVectors> | null = null;

/**
 * Vectors of the words of both languages (`api/word-vectors`), read once per process. The more similar the
 * meaning of two words of a language, the larger the cosine of their vectors.
 */
export function wordVectors() {
  opened ??= readWordVectors();
  return opened;
}

/** Reads the words, one per line, and their packed vectors (`pack-vector.ts`) in the same order. */
function readWordVectors() {
  const words = readFileSync(new URL('words.txt', folder), 'utf8').trim().split('\n');
  const rowOf = new Map(words.map((word, at) => [word, at]));
  const table = readFileSync(new URL('vectors.bin', folder));
  const numbers = new Int8Array(table.buffer, table.byteOffset, table.length);
  const rowBytes = table.length / words.length;
  const dimensions = rowBytes - scaleBytes;
  const lengths = new Float32Array(words.length);
  // English words come first, then Chinese ones; those of a language are sorted by frequency.
  const firstChinese = words.findIndex((word) => isHan.test(word));
  const rarityOfRow = (row: number) =>
    Math.min(1, Math.log(row < firstChinese ? row + 1 : row - firstChinese + 1) / Math.log(rarestRank));

  function lengthOf(row: number): number {
    const start = row * rowBytes + scaleBytes;
    if (lengths[row] !== 0) return lengths[row]!;
    let sum = 0;
    for (let at = start; at < start + dimensions; at += 1) sum += numbers[at]! * numbers[at]!;
    lengths[row] = Math.sqrt(sum) || 1;
    return lengths[row]!;
  }

  function cosineOf(vector: Float32Array, row: number): number {
    const start = row * rowBytes + scaleBytes;
    let sum = 0;
    for (let at = 0; at < dimensions; at += 1) sum += vector[at]! * numbers[start + at]!;
    return sum / lengthOf(row);
  }

  let translations: ReadonlyMap<string, string> | null = null;
  /** Vectors of texts. A sentence of a passage is compared several times for a question. */
  const vectors = new LRUCache<string, Float32Array>({ max: maxVectors });
  /** Rows of the words of texts. */
  const texts = new LRUCache<string, Uint16Array>({ max: maxTexts });
  let neighbours: Buffer | null = null;

  return {
    /**
     * The normalised sum of the vectors of a text's words; zeros if no word is known. Must not be modified.
     */
    vectorOf(text: string): Float32Array {
      const known = vectors.get(text);
      if (known) return known;
      const sum = new Float32Array(dimensions);
      for (const word of wordsOf(text, rowOf)) {
        const row = rowOf.get(word)! * rowBytes;
        const scale = table.readFloatLE(row);
        for (let at = 0; at < dimensions; at += 1) sum[at]! += scale * numbers[row + scaleBytes + at]!;
      }
      const length = Math.sqrt(dot(sum, sum)) || 1;
      for (let at = 0; at < dimensions; at += 1) sum[at]! /= length;
      vectors.set(text, sum);
      return sum;
    },
    /**
     * Returns a function for the cosine of a vector and the nearest word of `text`; −1 if no word is known.
     */
    nearestIn(text: string): (vector: Float32Array) => number {
      const rows =
        texts.get(text) ?? Uint16Array.from(new Set(wordsOf(text, rowOf)), (word) => rowOf.get(word)!);
      texts.set(text, rows);
      return (vector) => {
        let nearest = -1;
        for (const row of rows) nearest = Math.max(nearest, cosineOf(vector, row));
        return nearest;
      };
    },
    /** The nearest words of the other language, nearest first; none if no word is near. */
    translationsOf(word: string): readonly string[] {
      translations ??= readTranslations();
      const own = wordsOf(word, rowOf);
      const line = own.length === 1 ? translations.get(own[0]!) : undefined;
      return line?.split(' ').slice(1) ?? [];
    },
    /** The nearest words of the same language with their cosines, nearest first; none if no word is near. */
    neighboursOf(word: string): readonly { word: string; cosine: number }[] {
      neighbours ??= readFileSync(new URL('neighbours.bin', folder));
      const own = wordsOf(word, rowOf);
      if (own.length !== 1 || (isHan.test(word) && own[0] !== word)) return [];
      const start = rowOf.get(own[0]!)! * neighboursOfWord * 3;
      const all = neighbours.subarray(start, start + neighboursOfWord * 3);
      return Array.from({ length: neighboursOfWord }, (_, at) => ({
        word: words[all.readUInt16LE(3 * at)]!,
        cosine: all[3 * at + 2]! / 255,
      })).filter(({ cosine }) => cosine > 0);
    },
    /** Rarity of a word in its language, 0–1: the logarithm of its rank by frequency; 1 if unknown. */
    rarityOf(word: string): number {
      const parts = wordsOf(word, rowOf);
      const isKnown = parts.length > 0 && (!isHan.test(word) || parts.join('').length === word.length);
      return isKnown ? Math.max(...parts.map((part) => rarityOfRow(rowOf.get(part)!))) : 1;
    },
  };
}

/**
 * Reads lines of a word followed by its translations. They stay lines, as arrays would take several times the
 * memory.
 */
function readTranslations(): Map<string, string> {
  const lines = readFileSync(new URL('translations.txt', folder), 'utf8').trim().split('\n');
  return new Map(lines.map((line) => [line.split(' ', 1)[0]!, line]));
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}
