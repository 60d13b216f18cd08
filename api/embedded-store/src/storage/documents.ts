import type { Storable } from '../bson/codec.ts';
import { encodeKey } from '../bson/key-encoding.ts';
import { shellText } from '../bson/shell-text.ts';
import type { Doc, Value } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { filterRoots } from '../query/matcher.ts';
import { type Catalogue, type Collection, type Index, namespaceOf } from './catalogue.ts';
import type { Database } from './database.ts';
import { keysOf, keyValueOf } from './index-keys.ts';

export type Documents = ReturnType<typeof createDocuments>;

/** Writes single documents with their index keys. Must be called within `db.atomically`. */
export function createDocuments(db: Database, catalogue: Catalogue) {
  let entriesWritten = 0;
  const add = (collection: Collection, index: Index, rid: number, doc: Doc, keys: Buffer[]) => {
    if (index.unique) for (const key of keys) refuseDuplicate(db, collection, index, rid, doc, key);
    const insert = db.statement(`INSERT OR IGNORE INTO ${index.table} (k, rid) VALUES (?, ?)`);
    for (const key of keys) insert.run(key, rid);
    entriesWritten += keys.length;
  };
  const removeKeys = (index: Index, rid: number, keys: Buffer[]) => {
    const remove = db.statement(`DELETE FROM ${index.table} WHERE k = ? AND rid = ?`);
    for (const key of keys) remove.run(key, rid);
    entriesWritten += keys.length;
  };
  const keysFor = (index: Index, doc: Doc): Buffer[] => {
    if (index.partial && !index.partial.match(doc)) return [];
    const { keys, arrayPaths } = keysOf(doc, index.fields);
    if (arrayPaths.length > 0) catalogue.noteArrayPaths(index, arrayPaths);
    return keys;
  };

  return {
    insert(collection: Collection, { doc, body }: Storable): void {
      const { table, indexes } = collection;
      const id = encodeKey(doc._id as Value);
      if (db.statement(`SELECT 1 FROM ${table} WHERE id = ?`).get(id))
        throw duplicateKey(collection, indexes[0] as Index, { _id: doc._id as Value });
      const added = db.statement(`INSERT INTO ${table} (id, body) VALUES (?, ?)`).run(id, body);
      const rid = Number(added.lastInsertRowid);
      for (const index of indexes.slice(1)) add(collection, index, rid, doc, keysFor(index, doc));
    },

    /** @param touched the top-level fields that may have changed; default all */
    replace(
      collection: Collection,
      rid: number,
      old: Doc,
      { doc, body }: Storable,
      touched?: ReadonlySet<string>,
    ): void {
      for (const index of collection.indexes.slice(1)) {
        if (touched && !looksAt(index, touched)) continue;
        const before = keysFor(index, old);
        const after = keysFor(index, doc);
        removeKeys(index, rid, without(before, after));
        add(collection, index, rid, doc, without(after, before));
      }
      db.statement(`UPDATE ${collection.table} SET body = ? WHERE rid = ?`).run(body, rid);
    },

    remove(collection: Collection, rid: number, old: Doc): void {
      for (const index of collection.indexes.slice(1)) removeKeys(index, rid, keysFor(index, old));
      db.statement(`DELETE FROM ${collection.table} WHERE rid = ?`).run(rid);
    },

    addToIndex: (collection: Collection, index: Index, rid: number, doc: Doc): void =>
      add(collection, index, rid, doc, keysFor(index, doc)),

    /** How many index entries were added and removed so far, as a measure of the cost of writes. */
    entriesWritten: () => entriesWritten,
  };
}

export const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Whether an index takes its keys from one of these fields. */
function looksAt({ fields, partial }: Index, touched: ReadonlySet<string>): boolean {
  if (fields.some(({ parts }) => touched.has(parts[0] as string))) return true;
  return partial !== undefined && [...filterRoots(partial.filter)].some((root) => touched.has(root));
}

function without(keys: Buffer[], others: Buffer[]): Buffer[] {
  if (others.length === 0) return keys;
  const taken = new Set(others.map((key) => key.toString('latin1')));
  return keys.filter((key) => !taken.has(key.toString('latin1')));
}

function refuseDuplicate(
  db: Database,
  collection: Collection,
  index: Index,
  rid: number,
  doc: Doc,
  key: Buffer,
): void {
  const taken = db.statement(`SELECT 1 FROM ${index.table} WHERE k = ? AND rid <> ? LIMIT 1`).get(key, rid);
  if (taken) throw duplicateKey(collection, index, keyValueOf(doc, index.fields, key));
}

function duplicateKey(collection: Collection, index: Index, keyValue: Doc): StoreError {
  return new StoreError(
    11000,
    `E11000 duplicate key error collection: ${namespaceOf(collection)} index: ${index.name} dup key: ${shellText(keyValue)}`,
    { keyPattern: index.spec.key, keyValue },
  );
}
