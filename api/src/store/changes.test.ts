import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { isEmbedded, openTestDatabase, removeTestData, type TestDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';
import { type Changes, createChanges } from './changes.ts';

let dataDir: string;
let database: TestDatabase;
let writer: Connection;
let reader: Connection;
let changes: Changes;
let warnings: string[];

const connect = () =>
  mongoose
    .createConnection(database.uri, {
      autoIndex: false,
      serverApi: { version: '1', strict: true, deprecationErrors: true },
    })
    .asPromise();

beforeEach(async () => {
  dataDir = await temporaryFolder('desk-changes');
  database = await openTestDatabase(dataDir);
  [writer, reader] = await Promise.all([connect(), connect()]);
  warnings = [];
  const log = { warn: (_: unknown, message = '') => void warnings.push(message) };
  changes = createChanges({ connection: reader, isAlone: false, log });
});

afterEach(async () => {
  await changes.stop();
  await Promise.all([writer.close(), reader.close()]);
  await database.close();
  await removeTestData(dataDir);
});

const rows = (connection: Connection, name: string) =>
  connection.collection<{ _id: string; value?: number; isDue?: boolean }>(name);

test('a change by another process is read, whatever its kind', async () => {
  let seen: unknown = 'nothing';
  changes.follow('rows', async () => {
    seen = (await rows(reader, 'rows').findOne({ _id: 'a' }))?.value;
  });
  changes.start();
  await rows(writer, 'rows').insertOne({ _id: 'a', value: 1 });
  await until(() => seen === 1);
  await rows(writer, 'rows').updateOne({ _id: 'a' }, { $set: { value: 2 } });
  await until(() => seen === 2);
  await rows(writer, 'rows').deleteOne({ _id: 'a' });
  await until(() => seen === undefined);
});

test('a read that fails is repeated, also without another change, and only the first failure is logged', async () => {
  let reads = 0;
  changes.follow(
    'rows',
    async () => {
      reads += 1;
      if (reads < 4) throw new Error('the store is busy');
    },
    { restMs: 50 },
  );
  changes.start();
  await until(() => reads >= 4);
  expect(warnings.filter((message) => message === 'reading changes failed')).toHaveLength(1);
});

const onReplicaSet = isEmbedded ? test.skip : test;

onReplicaSet('with a change stream, only what was changed and selected is read', async () => {
  const reads = { rows: 0, others: 0, selected: 0 };
  const count = (name: keyof typeof reads) => async () => {
    reads[name] += 1;
  };
  changes.follow('rows', count('rows'), { restMs: 0 });
  changes.follow('others', count('others'), { restMs: 0 });
  changes.follow('selected', count('selected'), { restMs: 0, match: { 'fullDocument.isDue': true } });
  changes.start();
  await until(() => changes.isStreaming() && Object.values(reads).every((count) => count > 0));
  const before = { ...reads };
  await rows(writer, 'selected').insertOne({ _id: 'a' });
  await rows(writer, 'rows').insertOne({ _id: 'a' });
  await until(() => reads.rows > before.rows);
  expect(reads).toEqual({ ...before, rows: before.rows + 1 });
  await rows(writer, 'selected').insertOne({ _id: 'b', isDue: true });
  await until(() => reads.selected > before.selected);
  expect(reads.others).toBe(before.others);
});

onReplicaSet('stopping does not wait for the next change', async () => {
  changes.follow('rows', async () => undefined);
  changes.start();
  await until(() => changes.isStreaming());
  let isStopped = false;
  const stopped = changes.stop().then(() => {
    isStopped = true;
  });
  await until(() => isStopped, 5000);
  await stopped;
});

onReplicaSet('a stream that the server ends is opened again, and what was missed is read', async () => {
  let seen: unknown;
  changes.follow('rows', async () => {
    seen = (await rows(reader, 'rows').findOne({ _id: 'a' }))?.value;
  });
  await rows(writer, 'rows').insertOne({ _id: 'b' });
  changes.start();
  await until(() => changes.isStreaming());
  // The stream of a database ends when the database is dropped.
  await writer.dropDatabase();
  await until(() => !changes.isStreaming());
  await rows(writer, 'rows').insertOne({ _id: 'a', value: 1 });
  await until(() => seen === 1);
  await until(() => changes.isStreaming());
  await rows(writer, 'rows').updateOne({ _id: 'a' }, { $set: { value: 2 } });
  await until(() => seen === 2);
});
