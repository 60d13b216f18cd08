import { Int32 } from 'bson';
import { decode, encode } from '../bson/codec.ts';
import type { Doc } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { compileFilter, type Matcher } from '../query/matcher.ts';
import type { Database } from './database.ts';
import { type Direction, type KeyField, keyField } from './index-keys.ts';

/** A collection. Its table has the documents, each with the key of its `_id`. */
export interface Collection {
  id: number;
  database: string;
  name: string;
  table: string;
  /** `_id_` first. */
  indexes: Index[];
  isDropped: boolean;
}

export interface Index {
  id: number;
  /** As listIndexes shows it. */
  spec: Doc;
  name: string;
  table: string;
  /** The column of the encoded key. */
  column: string;
  fields: KeyField[];
  unique: boolean;
  expireAfterSeconds: number | undefined;
  partial: { filter: Doc; match: Matcher } | undefined;
  /** Paths that lead into an array in some document, which then has several keys. */
  arrayPaths: Set<string>;
  /** False while the keys of existing documents are added: queries do not use the index yet. */
  ready: boolean;
}

/** The error of a command or cursor whose collection is dropped while it runs. */
export const collectionDropped = () => new StoreError(175, 'collection dropped');

const nameOf = (database: string, name: string) => `${database}.${name}`;
export const namespaceOf = (collection: Collection) => nameOf(collection.database, collection.name);

export type Catalogue = ReturnType<typeof openCatalogue>;

/** The databases, collections and indexes, in memory and in the data file. */
export function openCatalogue(db: Database) {
  db.exec(
    'CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name))',
  );
  db.exec(
    'CREATE TABLE IF NOT EXISTS indexes (id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, array_paths TEXT NOT NULL, ready INTEGER NOT NULL)',
  );
  const collections = readCollections(db);

  return {
    all: (): Collection[] => [...collections.values()],
    find: (database: string, name: string): Collection | undefined => collections.get(nameOf(database, name)),

    create(database: string, name: string): Collection {
      const added = db.statement('INSERT INTO collections (db, name) VALUES (?, ?)').run(database, name);
      const id = Number(added.lastInsertRowid);
      db.exec(
        `CREATE TABLE c${id} (rid INTEGER PRIMARY KEY, id BLOB NOT NULL, body BLOB NOT NULL); CREATE UNIQUE INDEX c${id}_id ON c${id} (id)`,
      );
      const collection = collectionOf(id, database, name);
      const key = nameOf(database, name);
      collections.set(key, collection);
      db.onUndo(() => collections.delete(key));
      return collection;
    },

    drop(collection: Collection): void {
      for (const index of collection.indexes.slice(1)) dropTable(db, index);
      db.statement('DELETE FROM indexes WHERE collection = ?').run(collection.id);
      db.statement('DELETE FROM collections WHERE id = ?').run(collection.id);
      db.exec(`DROP TABLE c${collection.id}`);
      const key = namespaceOf(collection);
      collections.delete(key);
      collection.isDropped = true;
      db.onUndo(() => {
        collections.set(key, collection);
        collection.isDropped = false;
      });
    },

    addIndex(collection: Collection, spec: Doc): Index {
      const added = db
        .statement("INSERT INTO indexes (collection, spec, array_paths, ready) VALUES (?, ?, '[]', 0)")
        .run(collection.id, encode(spec));
      const index = indexOf(Number(added.lastInsertRowid), spec, [], false);
      db.exec(
        `CREATE TABLE ${index.table} (k BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (k, rid)) WITHOUT ROWID`,
      );
      collection.indexes.push(index);
      db.onUndo(() => remove(collection, index));
      return index;
    },

    markReady(index: Index): void {
      db.statement('UPDATE indexes SET ready = 1 WHERE id = ?').run(index.id);
      index.ready = true;
      db.onUndo(() => {
        index.ready = false;
      });
    },

    dropIndex(collection: Collection, index: Index): void {
      db.statement('DELETE FROM indexes WHERE id = ?').run(index.id);
      dropTable(db, index);
      const position = remove(collection, index);
      db.onUndo(() => collection.indexes.splice(position, 0, index));
    },

    noteArrayPaths(index: Index, paths: string[]): void {
      const fresh = paths.filter((path) => !index.arrayPaths.has(path));
      if (fresh.length === 0) return;
      for (const path of fresh) index.arrayPaths.add(path);
      db.onUndo(() => {
        for (const path of fresh) index.arrayPaths.delete(path);
      });
      db.statement('UPDATE indexes SET array_paths = ? WHERE id = ?').run(
        JSON.stringify([...index.arrayPaths]),
        index.id,
      );
    },
  };
}

function remove(collection: Collection, index: Index): number {
  const position = collection.indexes.indexOf(index);
  if (position >= 0) collection.indexes.splice(position, 1);
  return position;
}

const dropTable = (db: Database, index: Index) => db.exec(`DROP TABLE ${index.table}`);

function readCollections(db: Database): Map<string, Collection> {
  const collections = new Map<string, Collection>();
  for (const row of db.statement('SELECT id, db, name FROM collections').all()) {
    const collection = collectionOf(Number(row.id), String(row.db), String(row.name));
    const indexes = db.statement('SELECT * FROM indexes WHERE collection = ? ORDER BY id').all(collection.id);
    for (const found of indexes) {
      const paths = JSON.parse(String(found.array_paths)) as string[];
      const spec = decode(found.spec as Uint8Array);
      collection.indexes.push(indexOf(Number(found.id), spec, paths, found.ready === 1));
    }
    dropUnfinished(db, collection);
    collections.set(namespaceOf(collection), collection);
  }
  return collections;
}

/** Drops the indexes that were being created when the process ended, as they lack keys. */
function dropUnfinished(db: Database, collection: Collection): void {
  for (const index of collection.indexes.filter(({ ready }) => !ready)) {
    dropTable(db, index);
    db.statement('DELETE FROM indexes WHERE id = ?').run(index.id);
    remove(collection, index);
  }
}

function collectionOf(id: number, database: string, name: string): Collection {
  const table = `c${id}`;
  const idIndex: Index = {
    id: 0,
    spec: { v: new Int32(2), key: { _id: new Int32(1) }, name: '_id_' },
    name: '_id_',
    table,
    column: 'id',
    fields: [keyField('_id', 1)],
    unique: true,
    expireAfterSeconds: undefined,
    partial: undefined,
    arrayPaths: new Set(),
    ready: true,
  };
  return { id, database, name, table, indexes: [idIndex], isDropped: false };
}

function indexOf(id: number, spec: Doc, arrayPaths: string[], ready: boolean): Index {
  const filter = spec.partialFilterExpression as Doc | undefined;
  const expire = spec.expireAfterSeconds;
  return {
    id,
    spec,
    name: spec.name as string,
    table: `x${id}`,
    column: 'k',
    fields: Object.entries(spec.key as Doc).map(([path, direction]) =>
      keyField(path, Number(direction) as Direction),
    ),
    unique: spec.unique === true,
    expireAfterSeconds: expire === undefined ? undefined : Number(expire),
    partial: filter && { filter, match: compileFilter(filter) },
    arrayPaths: new Set(arrayPaths),
    ready,
  };
}
