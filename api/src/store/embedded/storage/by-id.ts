import { encodeKey } from '../bson/key-encoding.ts';
import { type Doc, isDoc, kindOf, type Value } from '../bson/values.ts';
import type { Collection } from './catalogue.ts';
import type { Database } from './database.ts';
import { asBuffer } from './documents.ts';
import { PAGE_BYTES, type Row, refuseDropped } from './paging.ts';
import type { Source } from './sources.ts';

/**
 * The keys of a filter that asks for documents by `_id` and nothing else, one or by `$in`, in order and each once; `undefined` for any
 * other. Those are most of all look-ups, and need no plan.
 */
export function idsAskedFor(filter: Doc): Buffer[] | undefined {
  const names = Object.keys(filter);
  if (names.length !== 1 || names[0] !== '_id') return undefined;
  const operand = filter._id as Value;
  if (isPlain(operand)) return [encodeKey(operand)];
  if (!isDoc(operand)) return undefined;
  const operators = Object.keys(operand);
  const list = operand.$in;
  if (operators.length !== 1 || !Array.isArray(list) || !list.every(isPlain)) return undefined;
  const keys = list.map(encodeKey).sort(Buffer.compare);
  return keys.filter((key, at) => at === 0 || !key.equals(keys[at - 1] as Buffer));
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'objectId', 'int', 'long', 'double', 'date', 'bool']);

function isPlain(value: Value): boolean {
  return PLAIN.has(kindOf(value));
}

const MOST_AT_ONCE = 64;

/** The documents of these keys that there are, in their order, some at a time. */
export function rowsById(
  db: Database,
  collection: Collection,
  keys: readonly Buffer[],
  largest: () => number,
): Source<Row> {
  let at = 0;
  return {
    // Of several ids MongoDB only learns by another look that nothing is left.
    isOver: () => keys.length === 1 && at > 0,
    pull(most = MOST_AT_ONCE) {
      refuseDropped(collection, undefined);
      if (at >= keys.length) return undefined;
      const statement = db.statement(`SELECT rid, body FROM ${collection.table} WHERE id = ?`);
      const end = Math.min(keys.length, at + Math.max(1, Math.min(MOST_AT_ONCE, largest())));
      const rows: Row[] = [];
      let bytes = 0;
      while (at < end && bytes < PAGE_BYTES && rows.length < most) {
        const found = statement.get(keys[at++] as Buffer);
        if (!found) continue;
        const body = asBuffer(found.body as Uint8Array);
        rows.push({ rid: Number(found.rid), body, doc: undefined });
        bytes += body.length;
      }
      db.counts.entries += rows.length;
      db.counts.rows += rows.length;
      return rows;
    },
  };
}
