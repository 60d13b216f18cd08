import { decode } from '../bson/codec.ts';
import { keepFields } from '../bson/top-fields.ts';
import { StoreError } from '../errors.ts';
import { type KeyField, sortKeyOf } from './index-keys.ts';
import type { Row } from './scan.ts';

/** Results on demand. Each pull does a bounded amount of work. */
export interface Source<T> {
  /**
   * Some more, perhaps none yet; undefined at the end.
   *
   * @param most how many the caller sends now: rows that are read in advance may change before they are sent. Default all.
   */
  pull(most?: number): T[] | undefined;
  /** True once nothing is left and no pull is needed to find that out. */
  isOver?(): boolean;
}

export function mapped<A, B>(source: Source<A>, convert: (item: A) => B): Source<B> {
  return {
    pull: (most) => source.pull(most)?.map(convert),
    isOver: () => source.isOver?.() === true,
  };
}

/** @param limit 0 for all */
export function sliced<T>(source: Source<T>, skip: number, limit: number): Source<T> {
  if (skip === 0 && limit === 0) return source;
  let toSkip = skip;
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  return {
    isOver: () => left <= 0,
    pull(most = Number.POSITIVE_INFINITY) {
      if (left <= 0) return undefined;
      const items = source.pull(toSkip + Math.min(left, most));
      if (!items) return undefined;
      const skipped = Math.min(toSkip, items.length);
      toSkip -= skipped;
      const taken = items.slice(skipped, skipped + left);
      left -= taken.length;
      return taken;
    },
  };
}

/** MongoDB's limit of a sort in memory, in bytes. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;
const PULL_SIZE = 256;

interface Keyed<T> {
  key: Buffer;
  item: T;
  size: number;
}

/**
 * Puts all items in order before the first comes out; equal ones stay as they came.
 *
 * @param most keeps only that many; 0 for all
 */
export function sorted<T>(
  source: Source<T>,
  keyOf: (item: T) => Buffer,
  sizeOf: (item: T) => number,
  most: number,
): Source<T> {
  let kept: Keyed<T>[] = [];
  let bytes = 0;
  let emitted = -1;
  const trim = () => {
    kept.sort((a, b) => Buffer.compare(a.key, b.key));
    if (most > 0) kept = kept.slice(0, most);
    bytes = kept.reduce((sum, { size }) => sum + size, 0);
  };
  const collect = (items: T[]) => {
    for (const item of items) {
      const entry = { key: keyOf(item), item, size: sizeOf(item) };
      kept.push(entry);
      bytes += entry.size + entry.key.length;
    }
    if (most > 0 && kept.length > 2 * most + PULL_SIZE) trim();
    if (bytes > MAX_SORT_BYTES) {
      throw new StoreError(292, `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`);
    }
  };
  return {
    pull(wanted = PULL_SIZE) {
      if (emitted >= 0) {
        const next = kept.slice(emitted, emitted + Math.min(wanted, PULL_SIZE));
        emitted += next.length;
        return next.length > 0 ? next.map(({ item }) => item) : undefined;
      }
      const items = source.pull();
      if (items) collect(items);
      else {
        trim();
        emitted = 0;
      }
      return [];
    },
  };
}

export function sortedRows(source: Source<Row>, fields: KeyField[], most: number): Source<Row> {
  const roots = new Set(fields.map(({ parts }) => parts[0] as string));
  return sorted(
    source,
    ({ body }) => sortKeyOf(decode(keepFields(body, roots)), fields),
    ({ body }) => body.length * 2,
    most,
  );
}
