import { encodeKey } from '../bson/key-encoding.ts';
import { type Doc, isDoc, kindOf, type Value } from '../bson/values.ts';
import type { Collection } from './catalogue.ts';
import type { Database } from './database.ts';
import { asBuffer } from './documents.ts';
import { PAGE_BYTES, type Row, refuseDropped } from './paging.ts';
import type { Source } from './sources.ts';

/** Sorted distinct keys of a filter of `_id` alone, by value or `$in`: most queries, without a plan. */
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

const MAX_PAGE = 64;

/** The documents with these keys, in the order of the keys. */
export function rowsById(
  db: Database,
  collection: Collection,
  keys: readonly Buffer[],
  largest: () => number,
): Source<Row> {
  let at = 0;
  return {
    // With several ids MongoDB leaves the cursor open after a full batch, with a single one it does not.
    isOver: () => keys.length === 1 && at > 0,
    pull(most = MAX_PAGE) {
      refuseDropped(collection, undefined);
      if (at >= keys.length) return undefined;
      const statement = db.statement(`SELECT rid, body FROM ${collection.table} WHERE id = ?`);
      const end = Math.min(keys.length, at + Math.max(1, Math.min(MAX_PAGE, largest())));
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
