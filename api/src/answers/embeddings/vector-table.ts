import { packVector, scaleBytes } from './pack-vector.ts';
import { createVectorMemory, numbersAtOnce, type VectorMemory } from './vector-products.ts';

/** Rows per block of memory. A growing table gets new blocks and copies nothing. */
const blockRows = 8192;

interface PackedNumbers {
  scale: number;
  numbers: Int32Array;
}

/** Packs a vector like those of the table, to compare it with them. */
export function numbersOf(vector: Float32Array): PackedNumbers {
  const packed = packVector(vector);
  return {
    scale: packed.readFloatLE(0),
    numbers: Int32Array.from(packed.subarray(scaleBytes), (byte) => (byte << 24) >> 24),
  };
}

interface Block {
  scales: Float32Array;
  /** Address of the first row. */
  numbers: number;
}

/** A table of packed vectors that are compared with a question. Several tables may share their memory. */
export function createVectorTable(dimensions: number, memory: VectorMemory = createVectorMemory()) {
  const { allocate, products, buffer } = memory;
  const rows = new Map<string, number>();
  const ids: string[] = [];
  const blocks: Block[] = [];

  const width = Math.ceil(dimensions / numbersAtOnce) * numbersAtOnce;
  const question = allocate(2 * width + 4 * blockRows);
  const results = question + 2 * width;

  const ask = (asked: Int32Array) => new Int16Array(buffer(), question, width).set(asked);

  /** The products of the asked vector with rows of a block; overwritten by the next call. */
  function productsOf({ numbers }: Block, from: number, count: number): Int32Array {
    const row = numbers + from * width;
    products(question, row, row + count * width, width, results);
    return new Int32Array(buffer(), results, count);
  }

  /** The products of a vector with all rows, multiplied by the scales of the rows. */
  function scoresOf(asked: Int32Array): Float64Array {
    ask(asked);
    const scores = new Float64Array(ids.length);
    for (const [number, block] of blocks.entries()) {
      const first = number * blockRows;
      const found = productsOf(block, 0, Math.min(blockRows, ids.length - first));
      for (let at = 0; at < found.length; at += 1) scores[first + at] = found[at]! * block.scales[at]!;
    }
    return scores;
  }

  return {
    dimensions,
    put(id: string, packed: Uint8Array): void {
      if (packed.length !== dimensions + scaleBytes) return;
      const row = rows.get(id) ?? ids.length;
      rows.set(id, row);
      ids[row] = id;
      if (row === blocks.length * blockRows)
        blocks.push({ scales: new Float32Array(blockRows), numbers: allocate(blockRows * width) });
      const block = blocks[Math.floor(row / blockRows)]!;
      const at = row % blockRows;
      const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
      block.scales[at] = view.getFloat32(0, true);
      const numbers = new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, dimensions);
      new Int8Array(buffer(), block.numbers + at * width, width).set(numbers);
    },
    /** NaN without a vector of this id. */
    cosine({ scale, numbers }: PackedNumbers, id: string): number {
      const row = rows.get(id);
      if (row === undefined || numbers.length !== dimensions) return Number.NaN;
      const block = blocks[Math.floor(row / blockRows)]!;
      ask(numbers);
      return scale * block.scales[row % blockRows]! * productsOf(block, row % blockRows, 1)[0]!;
    },
    /** Ids of the nearest vectors, nearest first. */
    nearest({ numbers: asked }: PackedNumbers, most: number): string[] {
      if (asked.length !== dimensions) return [];
      const scores = scoresOf(asked);
      const best: { row: number; score: number }[] = [];
      let least = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < scores.length; at += 1) {
        const score = scores[at]!;
        if (score <= least) continue;
        const place = best.findIndex((other) => other.score < score);
        best.splice(place < 0 ? best.length : place, 0, { row: at, score });
        if (best.length > most) best.pop();
        if (best.length === most) least = best.at(-1)!.score;
      }
      return best.map(({ row }) => ids[row]!);
    },
  };
}
