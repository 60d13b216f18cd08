import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import mongoose, { type mongo } from 'mongoose';
import { transfersCollection } from '../../store/unfinished-transfer.ts';

const { BSON } = mongoose.mongo;

/** A collection with its indexes, as `listIndexes` returns them. */
export interface CollectionInfo {
  name: string;
  indexes: mongo.Document[];
}

/** Number of documents and the SHA-256 of their BSON, in the order of their ids. */
export interface Checksum {
  count: number;
  sha256: string;
}

/** The documents of a desk: in a database, or in the folder of a backup. */
export interface Documents {
  /** Sorted by name; without the collections of GridFS, whose content is read as files. */
  collections(): Promise<CollectionInfo[]>;
  /** The BSON of each document, in the order of their ids. */
  read(name: string): AsyncIterable<Uint8Array>;
  /**
   * Stores all documents of a collection, without its indexes. A collection that an interrupted call has begun is continued,
   * provided that the same documents are given.
   */
  write(collection: CollectionInfo, documents: AsyncIterable<Uint8Array>): Promise<void>;
  createIndexes(collection: CollectionInfo): Promise<void>;
}

/** `pass` passes documents on; `checksum` is theirs after the last one. */
export function createSum() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    async *pass(documents: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const document of documents) {
        hash.update(document);
        count += 1;
        yield document;
      }
    },
    checksum: (): Checksum => ({ count, sha256: hash.digest('hex') }),
  };
}

export async function checksumOf(documents: AsyncIterable<Uint8Array>): Promise<Checksum> {
  const { pass, checksum } = createSum();
  for await (const _ of pass(documents));
  return checksum();
}

/** Every value keeps its BSON type, so that a document has the same bytes in every store. */
const keepTypes = { promoteValues: false, promoteBuffers: false, bsonRegExp: true } as const;

export function decode(bytes: Uint8Array): mongo.Document {
  return BSON.deserialize(bytes, keepTypes);
}

/** Documents per write, and their maximum size together in bytes. */
const batchSize = 500;
const batchBytes = 8 * 1024 * 1024;

/** @param session reads all collections as of one time */
export function databaseDocuments(db: mongo.Db, session?: mongo.ClientSession): Documents {
  const read = { sort: { _id: 1 }, batchSize, ...(session ? { session } : {}) } as const;
  const isOurs = (name: string) =>
    !/^(system\.|files\.(files|chunks)$)/.test(name) && name !== transfersCollection;
  return {
    async collections() {
      const found = await db.listCollections({}, { nameOnly: true }).toArray();
      const names = found.map(({ name }) => name).filter(isOurs);
      return Promise.all(
        names
          .sort()
          .map(async (name) => ({ name, indexes: await db.collection(name).listIndexes().toArray() })),
      );
    },

    async *read(name) {
      const found = db.collection(name).find({}, { ...read, ...keepTypes });
      for await (const document of found) yield BSON.serialize(document, { ignoreUndefined: false });
    },

    async write({ name, indexes }, documents) {
      const collection = db.collection(name);
      // Documents that have expired meanwhile are not given again.
      if (indexes.some((index) => index.expireAfterSeconds !== undefined)) await collection.deleteMany({});
      // Documents are written in their order, so the existing ones are the first.
      let written = await collection.countDocuments();
      let some: mongo.Document[] = [];
      let bytes = 0;
      const flush = async () => {
        if (some.length > 0) await collection.insertMany(some, { ordered: true, ignoreUndefined: false });
        some = [];
        bytes = 0;
      };
      for await (const document of documents) {
        if (written > 0) {
          written -= 1;
          continue;
        }
        if (bytes + document.length > batchBytes) await flush();
        some.push(decode(document));
        bytes += document.length;
        if (some.length === batchSize) await flush();
      }
      await flush();
    },

    async createIndexes({ name, indexes }) {
      const specs = indexes.map(plainIndex).filter((index) => index.name !== '_id_');
      if (specs.length > 0) await db.command({ createIndexes: name, indexes: specs });
    },
  };
}

/** The definition without fields that servers add. */
function plainIndex({
  key,
  name,
  unique,
  sparse,
  expireAfterSeconds,
  partialFilterExpression,
}: mongo.Document) {
  const options = { unique, sparse, expireAfterSeconds, partialFilterExpression };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { key, name, ...Object.fromEntries(given) } as mongo.Document;
}

/** Documents in a folder: `<collection>.bson` with the documents one after the other, and `<collection>.metadata.json`, as mongodump writes them. */
export function folderDocuments(folder: string): Documents {
  const bson = (name: string) => join(folder, `${name}.bson`);
  const metadata = (name: string) => join(folder, `${name}.metadata.json`);
  return {
    async collections() {
      const ends = '.metadata.json';
      const names = (await readdir(folder)).filter((name) => name.endsWith(ends));
      return Promise.all(
        names.sort().map(async (file) => {
          const { indexes } = BSON.EJSON.parse(await readFile(join(folder, file), 'utf8')) as CollectionInfo;
          return { name: file.slice(0, -ends.length), indexes };
        }),
      );
    },

    read: (name) => splitDocuments(createReadStream(bson(name), { highWaterMark: 1024 * 1024 })),

    async write({ name, indexes }, documents) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await pipeline(documents, createWriteStream(bson(name), { mode: 0o600, flush: true }));
      const described = { collectionName: name, type: 'collection', options: {}, indexes };
      await writeFile(metadata(name), BSON.EJSON.stringify(described), { mode: 0o600, flush: true });
    },

    // Described in the metadata.
    async createIndexes() {},
  };
}

/** Each BSON document begins with its length, 32 bits in little endian. */
async function* splitDocuments(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= 4) {
      const length = rest.readInt32LE(at);
      if (length < 5 || length > maxDocument) throw new Error(`not BSON: a document of ${length} bytes`);
      if (rest.length - at < length) break;
      yield rest.subarray(at, at + length);
      at += length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new Error('the last document is incomplete');
}

const maxDocument = 16 * 1024 * 1024 + 16 * 1024;
