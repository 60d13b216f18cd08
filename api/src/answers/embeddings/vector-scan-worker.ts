import { parentPort } from 'node:worker_threads';
import { packVector, scaleBytes } from './pack-vector.ts';

export type ToScanner =
  | { kind: 'put'; dimensions: number; ids: string[]; owners: string[]; vectors: Uint8Array[] }
  | { kind: 'scan'; id: number; vector: Float32Array; owner: string; most: number }
  | { kind: 'rate'; id: number; vector: Float32Array; ids: readonly string[] };

/** `cosines` are in the order of `ids`; of a passage without a vector NaN. */
export type FromScanner = { id: number; ids: readonly string[]; cosines: number[] };

const port = parentPort;
if (!port) throw new Error('vector-scan-worker.ts runs as a worker thread');

const firstRows = 1024;

let table = createVectorTable(0);

port.on('message', (message: ToScanner) => {
  if (message.kind === 'put') {
    if (message.dimensions !== table.dimensions) table = createVectorTable(message.dimensions);
    for (const [at, id] of message.ids.entries()) table.put(id, message.owners[at]!, message.vectors[at]!);
    return;
  }
  const { id, vector } = message;
  const asked = numbersOf(vector);
  const ids = message.kind === 'rate' ? message.ids : table.nearest(asked, message.owner, message.most);
  port.postMessage({ id, ids, cosines: ids.map((one) => table.cosine(asked, one)) } satisfies FromScanner);
});

interface PackedNumbers {
  scale: number;
  numbers: Int8Array;
}

function numbersOf(vector: Float32Array): PackedNumbers {
  const packed = packVector(vector);
  return {
    scale: packed.readFloatLE(0),
    numbers: new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, vector.length),
  };
}

/** A table of packed vectors for an exact scan. */
function createVectorTable(dimensions: number) {
  const rows = new Map<string, number>();
  const ids: string[] = [];
  const owners: string[] = [];
  let scales = new Float32Array(firstRows);
  let numbers = new Int8Array(firstRows * dimensions);

  function grow(): void {
    const more = scales.length * 2;
    const [oldScales, oldNumbers] = [scales, numbers];
    scales = new Float32Array(more);
    numbers = new Int8Array(more * dimensions);
    scales.set(oldScales);
    numbers.set(oldNumbers);
  }

  function product(asked: Int8Array, row: number): number {
    const start = row * dimensions;
    let sum = 0;
    // Integers throughout: half as long as with floating-point numbers.
    for (let at = 0; at < dimensions; at += 1) sum = (sum + Math.imul(asked[at]!, numbers[start + at]!)) | 0;
    return sum;
  }

  return {
    dimensions,
    put(id: string, owner: string, packed: Uint8Array): void {
      if (packed.length !== dimensions + scaleBytes) return;
      const row = rows.get(id) ?? ids.length;
      if (row === scales.length) grow();
      rows.set(id, row);
      ids[row] = id;
      owners[row] = owner;
      const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
      scales[row] = view.getFloat32(0, true);
      numbers.set(new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, dimensions), row * dimensions);
    },
    cosine({ scale, numbers: asked }: PackedNumbers, id: string): number {
      const row = rows.get(id);
      if (row === undefined || asked.length !== dimensions) return Number.NaN;
      return scale * scales[row]! * product(asked, row);
    },
    /** Ids of the nearest vectors that are shared or of `owner`, nearest first. */
    nearest({ numbers: asked }: PackedNumbers, owner: string, most: number): string[] {
      if (asked.length !== dimensions) return [];
      const best: { row: number; score: number }[] = [];
      for (let row = 0; row < ids.length; row += 1) {
        if (owners[row] !== '' && owners[row] !== owner) continue;
        const score = product(asked, row) * scales[row]!;
        if (best.length === most && score <= best.at(-1)!.score) continue;
        const place = best.findIndex((other) => other.score < score);
        best.splice(place < 0 ? best.length : place, 0, { row, score });
        if (best.length > most) best.pop();
      }
      return best.map(({ row }) => ids[row]!);
    },
  };
}
