import { randomBytes } from 'node:crypto';
import { Double, Long } from 'bson';
import { encode, MAX_DOCUMENT } from '../bson/codec.ts';
import type { Doc } from '../bson/values.ts';
import { StoreError } from '../errors.ts';
import { type Collection, collectionDropped } from '../storage/catalogue.ts';
import type { Source } from '../storage/sources.ts';
import { checkFields, type Fields, numberOr } from './fields.ts';

/** The open results of a command. */
interface Cursor {
  /** 0 until it stays open after a reply. */
  id: bigint;
  namespace: string;
  source: Source<Buffer>;
  /** Documents that were read but not sent yet. */
  waiting: Buffer[];
  /** The collection that is read; dropping it ends the cursor. */
  collection: Collection | undefined;
  lastUsed: number;
  inUse: boolean;
}

export interface FirstBatch {
  batchSize: number | undefined;
  single: boolean;
  collection?: Collection | undefined;
}

const FIRST_BATCH = 101;
const IDLE_MS = 10 * 60 * 1000;

export type Cursors = ReturnType<typeof createCursors>;

export function createCursors() {
  const cursors = new Map<bigint, Cursor>();

  function* send(cursor: Cursor, field: string, size: number, single: boolean): Generator<void, Buffer> {
    const { docs, ended } = yield* batchOf(cursor, size);
    const stays = !ended && !single;
    if (stays) {
      if (cursor.id === 0n) cursor.id = freshId(cursors);
      cursors.set(cursor.id, cursor);
    } else cursors.delete(cursor.id);
    cursor.lastUsed = Date.now();
    return cursorReply(field, docs, stays ? cursor.id : 0n, cursor.namespace);
  }

  return {
    /** The reply with the first batch; the cursor stays open if there may be more. */
    first(
      namespace: string,
      source: Source<Buffer>,
      { batchSize, single, collection }: FirstBatch,
    ): Generator<void, Buffer> {
      const cursor: Cursor = {
        id: 0n,
        namespace,
        source,
        waiting: [],
        collection,
        lastUsed: Date.now(),
        inUse: false,
      };
      return send(cursor, 'firstBatch', batchSize ?? FIRST_BATCH, single);
    },

    *next(id: bigint, namespace: string, batchSize: number | undefined): Generator<void, Buffer> {
      const cursor = cursors.get(id);
      if (!cursor) throw new StoreError(43, `cursor id ${id} not found`);
      if (cursor.namespace !== namespace) {
        throw new StoreError(
          13,
          `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
        );
      }
      if (cursor.inUse) throw new StoreError(12051, `cursor id ${id} is already in use`);
      cursor.inUse = true;
      try {
        if (cursor.collection?.isDropped) throw collectionDropped();
        return yield* send(cursor, 'nextBatch', batchSize || Number.POSITIVE_INFINITY, false);
      } catch (error) {
        cursors.delete(id);
        throw error;
      } finally {
        cursor.inUse = false;
      }
    },

    kill: (id: bigint): boolean => cursors.delete(id),
    open: (): number => cursors.size,

    /** Ends cursors that were not used for ten minutes. */
    endIdle(now: number): void {
      for (const [id, cursor] of cursors) {
        if (!cursor.inUse && now - cursor.lastUsed > IDLE_MS) cursors.delete(id);
      }
    },
  };
}

function freshId(cursors: Map<bigint, Cursor>): bigint {
  for (;;) {
    const id = randomBytes(8).readBigUInt64LE() >> 1n;
    if (id !== 0n && !cursors.has(id)) return id;
  }
}

/** At most `size` documents, and no more than fit into one reply. */
function* batchOf(cursor: Cursor, size: number): Generator<void, { docs: Buffer[]; ended: boolean }> {
  const docs: Buffer[] = [];
  if (size === 0) return { docs, ended: false };
  let bytes = 0;
  for (;;) {
    while (cursor.waiting.length > 0) {
      const next = cursor.waiting[0] as Buffer;
      if (docs.length >= size || (docs.length > 0 && bytes + next.length > MAX_DOCUMENT))
        return { docs, ended: false };
      cursor.waiting.shift();
      docs.push(next);
      bytes += next.length + 12;
    }
    // As in MongoDB, a full batch leaves the cursor open unless a limit was reached.
    if (docs.length >= size) return { docs, ended: cursor.source.isOver?.() === true };
    const pulled = cursor.source.pull(size - docs.length);
    if (!pulled) return { docs, ended: true };
    cursor.waiting = pulled;
    if (docs.length + pulled.length < size) yield;
  }
}

/** `{ cursor: { <field>: docs, id, ns }, ok: 1 }`; the documents' bytes are copied once and not decoded. */
function cursorReply(field: string, docs: Buffer[], id: bigint, namespace: string): Buffer {
  const batch = document(docs.flatMap((doc, i) => [nameOf(0x03, String(i)), doc]));
  const rest = encode({ id: Long.fromBigInt(id), ns: namespace });
  const cursor = document([nameOf(0x04, field), ...batch, rest.subarray(4, -1)]);
  return Buffer.concat(
    document([nameOf(0x03, 'cursor'), ...cursor, encode({ ok: new Double(1) }).subarray(4, -1)]),
  );
}

const nameOf = (type: number, name: string) => Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'latin1');

/** The bytes of a document, as a list of buffers, from the bytes of its elements. */
function document(elements: Buffer[]): Buffer[] {
  const length = elements.reduce((sum, { length: size }) => sum + size, 5);
  const head = Buffer.alloc(4);
  head.writeInt32LE(length);
  return [head, ...elements, END];
}

const END = Buffer.from([0]);

/** The fields of a command's `cursor`. */
export const CURSOR_FIELDS: Fields = { optional: { batchSize: 'natural' } };

/** Options of the first batch, for commands with a `cursor`. */
export function batchOptions(command: Doc): { batchSize: number | undefined; single: boolean } {
  const cursor = (command.cursor ?? {}) as Doc;
  checkFields(`${Object.keys(command)[0]}.cursor`, cursor, CURSOR_FIELDS);
  return { batchSize: numberOr(cursor.batchSize, undefined), single: false };
}
