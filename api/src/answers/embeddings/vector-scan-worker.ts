import { parentPort } from 'node:worker_threads';
import { packVector, scaleBytes } from './pack-vector.ts';

export type ToScanner =
  | { kind: 'put'; dimensions: number; ids: string[]; owners: string[]; vectors: Uint8Array[] }
  | { kind: 'scan'; id: number; vector: Float32Array; owner: string; most: number };

export type FromScanner = { id: number; ids: string[] };

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
  const { id, vector, owner, most } = message;
  port.postMessage({ id, ids: table.nearest(vector, owner, most) } satisfies FromScanner);
});

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
    /** Ids of the nearest vectors that are shared or of `owner`, nearest first. */
    nearest(vector: Float32Array, owner: string, most: number): string[] {
      if (vector.length !== dimensions) return [];
      const packed = packVector(vector);
      const asked = new Int8Array(packed.buffer, packed.byteOffset + scaleBytes, dimensions);
      const best: { row: number; score: number }[] = [];
      for (let row = 0; row < ids.length; row += 1) {
        if (owners[row] !== '' && owners[row] !== owner) continue;
        let sum = 0;
        const start = row * dimensions;
        for (let at = 0; at < dimensions; at += 1) sum += asked[at]! * numbers[start + at]!;
        const score = sum * scales[row]!;
        if (best.length === most && score <= best.at(-1)!.score) continue;
        const place = best.findIndex((other) => other.score < score);
        best.splice(place < 0 ? best.length : place, 0, { row, score });
        if (best.length > most) best.pop();
      }
      return best.map(({ row }) => ids[row]!);
    },
  };
}
