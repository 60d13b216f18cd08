import { writeSync } from 'node:fs';
import { openEmbeddedStore } from 'embedded-store/open-embedded-store.ts';
import mongoose from 'mongoose';

/** Writes until it is killed, and prints each number only after the store has acknowledged it. */
const [dataDir = '', from = '0'] = process.argv.slice(2);
const WRITERS = 8;

const store = await openEmbeddedStore({ dataDir });
const client = await mongoose.mongo.MongoClient.connect(store.uri);
const docs = client.db('desk').collection<{ _id: number; at: number; text: string }>('written');
await docs.createIndex({ at: 1 });

let next = Number(from);
const write = async () => {
  for (;;) {
    const _id = next++;
    await docs.insertOne({ _id, at: _id, text: 'x'.repeat(500) });
    await docs.updateOne({ _id }, { $inc: { at: 1 } });
    writeSync(1, `${_id}\n`);
  }
};
await Promise.all(Array.from({ length: WRITERS }, write));
