/** Where a passage contains a term. */
export interface TermPlaces {
  /** Frequency in the body. */
  body: number;
  /** Whether it is in the nearest heading, in the title or an outer heading, in another way to ask. */
  heading: boolean;
  title: boolean;
  asked: boolean;
}

const headingBit = 16;
const titleBit = 32;
const askedBit = 64;
const maxFrequency = 15;

/** FNV-1a over UTF-16 units. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Packs the terms of a passage for ranking: the 4-byte hashes of the terms in ascending order, then one byte
 * for each. Its low four bits are the frequency in the body (at most 15), its high four bits the other
 * fields. Terms with equal hashes count as one; with 500 terms in a passage and 30 in a question this happens
 * once in 280,000 times.
 */
export function packTerms(places: ReadonlyMap<string, TermPlaces>): Buffer {
  const byHash = new Map<number, number>();
  for (const [term, { body, heading, title, asked }] of places) {
    const where = (heading ? headingBit : 0) | (title ? titleBit : 0) | (asked ? askedBit : 0);
    const hash = hashOf(term);
    byHash.set(hash, (byHash.get(hash) ?? 0) | where | Math.min(maxFrequency, body));
  }
  const hashes = [...byHash.keys()].sort((one, other) => one - other);
  const packed = Buffer.allocUnsafe(hashes.length * 5);
  for (const [index, hash] of hashes.entries()) {
    packed.writeUInt32LE(hash, index * 4);
    packed[hashes.length * 4 + index] = byHash.get(hash)!;
  }
  return packed;
}

/**
 * Returns a function for the bytes of a term in these passages, in their order; 0 where a passage lacks it.
 *
 * @param terms all terms that the function will be called with, which are looked up together.
 */
export function tabulate(
  passages: readonly { weights: Buffer }[],
  terms: Iterable<string>,
): (term: string) => Uint8Array {
  const hashes = new Map(Array.from(terms, (term) => [term, hashOf(term)]));
  const sorted = Uint32Array.from(new Set(hashes.values())).sort();
  const columns = new Map(Array.from(sorted, (hash) => [hash, new Uint8Array(passages.length)]));
  const inOrder = [...columns.values()];
  for (let row = 0; row < passages.length; row += 1) {
    const packed = passages[row]!.weights;
    const count = packed.length / 5;
    // Both are in ascending order, so that a search begins where the last one ended.
    let low = 0;
    for (let at = 0; at < sorted.length && low < count; at += 1) {
      const hash = sorted[at]!;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (hashAt(packed, middle) < hash) low = middle + 1;
        else high = middle;
      }
      if (low < count && hashAt(packed, low) === hash) inOrder[at]![row] = packed[count * 4 + low]!;
    }
  }
  return (term) => columns.get(hashes.get(term)!)!;
}

/** Several times as fast as `readUInt32LE`. */
function hashAt(packed: Buffer, index: number): number {
  const at = index * 4;
  return (packed[at]! | (packed[at + 1]! << 8) | (packed[at + 2]! << 16) | (packed[at + 3]! << 24)) >>> 0;
}

/** Reads the byte of a term. */
export function unpackPlaces(byte: number): TermPlaces {
  return {
    body: byte & maxFrequency,
    heading: (byte & headingBit) > 0,
    title: (byte & titleBit) > 0,
    asked: (byte & askedBit) > 0,
  };
}

/** Whether a term is in a heading, the title or another way to ask, by its byte. */
export function isAboveBody(byte: number): boolean {
  return (byte & (headingBit | titleBit | askedBit)) > 0;
}
