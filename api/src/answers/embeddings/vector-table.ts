import { packVector, scaleBytes } from './pack-vector.ts';

/** Signs of a vector that are compared first: a bit each, for the first numbers. */
const signBytes = 8;
const signBits = 8 * signBytes;
/** Up to this many vectors are compared in full; of more this many with the most similar signs, and a share of all. */
const maxInFull = 50_000;
const nearRows = 5000;
const nearShare = 0.04;
/** Rows per block of memory: a table that grows copies nothing. */
const blockRows = 8192;

interface PackedNumbers {
  scale: number;
  numbers: Int32Array;
}

/** A vector as those of the table are. */
export function numbersOf(vector: Float32Array): PackedNumbers {
  const packed = packVector(vector);
  return {
    scale: packed.readFloatLE(0),
    numbers: Int32Array.from(packed.subarray(scaleBytes), (byte) => (byte << 24) >> 24),
  };
}

interface Block {
  scales: Float32Array;
  numbers: Int8Array;
  signs: Uint8Array;
}

/**
 * A table of packed vectors. Few are compared in full with a question. Of many first the signs of their first numbers are, and
 * then the most similar ones in full: README.md has its recall.
 */
export function createVectorTable(dimensions: number, limits = { maxInFull, nearRows, nearShare }) {
  const rows = new Map<string, number>();
  const ids: string[] = [];
  const blocks: Block[] = [];

  function product(asked: Int32Array, { numbers }: Block, at: number): number {
    const start = at * dimensions;
    let [even, odd] = [0, 0];
    // Integers throughout: half as long as with floating-point numbers. Two sums do not wait for each other: a third less.
    for (let one = 0; one < dimensions - 1; one += 2) {
      even = (even + Math.imul(asked[one]!, numbers[start + one]!)) | 0;
      odd = (odd + Math.imul(asked[one + 1]!, numbers[start + one + 1]!)) | 0;
    }
    if (dimensions % 2 === 1) even += Math.imul(asked[dimensions - 1]!, numbers[start + dimensions - 1]!);
    return (even + odd) | 0;
  }

  /** The products of these rows, null for all, with their scales. */
  function scoresOf(asked: Int32Array, some: readonly number[] | null): Float64Array {
    const scores = new Float64Array(some?.length ?? ids.length);
    for (let index = 0; index < scores.length; index += 1) {
      const row = some ? some[index]! : index;
      const block = blocks[Math.floor(row / blockRows)]!;
      scores[index] = product(asked, block, row % blockRows) * block.scales[row % blockRows]!;
    }
    return scores;
  }

  /** For every byte of signs, what each of its values adds to the similarity. */
  function signTables(asked: Int32Array): Int16Array {
    const tables = new Int16Array(signBytes * 256);
    for (let bit = 0; bit < Math.min(signBits, dimensions); bit += 1)
      for (let value = 0; value < 256; value += 1)
        tables[(bit >> 3) * 256 + value]! += (value >> (bit & 7)) & 1 ? asked[bit]! : -asked[bit]!;
    return tables;
  }

  /** The rows whose signs are most similar, at least as many as asked for. */
  function similarRows(asked: Int32Array, least: number): number[] {
    const tables = signTables(asked);
    const similarities = new Int16Array(ids.length);
    const counts = new Uint32Array(2 ** 16);
    for (const [number, { signs }] of blocks.entries()) {
      const start = number * blockRows;
      const end = Math.min(blockRows, ids.length - start);
      for (let row = 0, at = 0; row < end; row += 1) {
        let sum = 0;
        for (let byte = 0; byte < signBytes; byte += 1) sum = (sum + tables[(byte << 8) + signs[at++]!]!) | 0;
        similarities[start + row] = sum;
        counts[sum + 2 ** 15]! += 1;
      }
    }
    let limit = counts.length;
    for (let count = 0; count < Math.min(least, ids.length); ) count += counts[--limit]!;
    const similar: number[] = [];
    for (let row = 0; row < ids.length; row += 1)
      if (similarities[row]! + 2 ** 15 >= limit) similar.push(row);
    return similar;
  }

  return {
    dimensions,
    put(id: string, packed: Uint8Array): void {
      if (packed.length !== dimensions + scaleBytes) return;
      const row = rows.get(id) ?? ids.length;
      rows.set(id, row);
      ids[row] = id;
      if (row === blocks.length * blockRows)
        blocks.push({
          scales: new Float32Array(blockRows),
          numbers: new Int8Array(blockRows * dimensions),
          signs: new Uint8Array(blockRows * signBytes),
        });
      const block = blocks[Math.floor(row / blockRows)]!;
      const at = row % blockRows;
      const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
      block.scales[at] = view.getFloat32(0, true);
      const numbers = new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, dimensions);
      block.numbers.set(numbers, at * dimensions);
      block.signs.fill(0, at * signBytes, (at + 1) * signBytes);
      for (let bit = 0; bit < Math.min(signBits, dimensions); bit += 1)
        if (numbers[bit]! > 0) block.signs[at * signBytes + (bit >> 3)]! |= 1 << (bit & 7);
    },
    cosine({ scale, numbers }: PackedNumbers, id: string): number {
      const row = rows.get(id);
      if (row === undefined || numbers.length !== dimensions) return Number.NaN;
      const block = blocks[Math.floor(row / blockRows)]!;
      return scale * block.scales[row % blockRows]! * product(numbers, block, row % blockRows);
    },
    /** Ids of the nearest vectors, nearest first. */
    nearest({ numbers: asked }: PackedNumbers, most: number): string[] {
      if (asked.length !== dimensions) return [];
      const isFull = ids.length <= limits.maxInFull;
      const some = isFull
        ? null
        : similarRows(asked, Math.ceil(limits.nearRows + ids.length * limits.nearShare));
      const scores = scoresOf(asked, some);
      const best: { row: number; score: number }[] = [];
      let least = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < scores.length; at += 1) {
        const score = scores[at]!;
        if (score <= least) continue;
        const place = best.findIndex((other) => other.score < score);
        best.splice(place < 0 ? best.length : place, 0, { row: some ? some[at]! : at, score });
        if (best.length > most) best.pop();
        if (best.length === most) least = best.at(-1)!.score;
      }
      return best.map(({ row }) => ids[row]!);
    },
  };
}
