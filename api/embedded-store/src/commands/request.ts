import type { Doc } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import type { Collection } from '../storage/catalogue.ts';
import type { Store } from '../storage/store.ts';
import type { Cursors } from './cursors.ts';
import type { Fields } from './fields.ts';

export interface Command {
  /** Its fields besides those of every command; default none. */
  fields?: Fields | 'any';
  /** The reply is sent after the transaction with its writes was committed. */
  writes?: true;
  /** Not part of MongoDB's Stable API version 1. */
  unstable?: true;
  /** Runs in steps, or replies at once. */
  run(request: Request): Steps | Reply;
}

export interface Request {
  store: Store;
  cursors: Cursors;
  name: string;
  database: string;
  command: Doc;
}

/** The fields of a reply, or its encoded bytes. */
export type Reply = object | Buffer;

/** A command in steps: other commands may run at each `yield`. */
export type Steps = Generator<void, Reply>;

/** @throws StoreError 73 InvalidNamespace */
export function collectionName({ name, database, command }: Request, field = name): string {
  const value = command[field];
  if (typeof value !== 'string') {
    throw new StoreError(
      73,
      `collection name has invalid type ${value === undefined ? 'missing' : typeof value}`,
    );
  }
  const namespace = `${database}.${value}`;
  const invalid =
    value === '' ||
    value.includes('$') ||
    value.includes('\0') ||
    value.startsWith('.') ||
    namespace.length > 255;
  if (invalid) throw new StoreError(73, `Invalid namespace specified '${namespace}'`);
  return value;
}

export const findCollection = (request: Request): Collection | undefined =>
  request.store.catalogue.find(request.database, collectionName(request));

/** The collection, created if it does not exist, as by MongoDB at the first write. */
export function ensureCollection({ store, database }: Request, name: string): Collection {
  const { catalogue, db } = store;
  return catalogue.find(database, name) ?? db.atomically(() => catalogue.create(database, name));
}

/** The entry of `writeErrors` for a failed write of a batch. */
export function writeError(index: number, error: unknown): object {
  if (!(error instanceof StoreError)) throw error;
  return { index, code: error.code, errmsg: error.message, ...error.details };
}
