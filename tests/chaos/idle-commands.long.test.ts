import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { findMongod } from '../mongod/find-mongod.ts';
import { type RunningMongod, startMongod } from '../mongod/start-mongod.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';

const processes = 3;
/** Time for which commands are counted, in ms. */
const countedMs = 120_000;
/** Commands by which drivers watch the server, and those of this test. */
const ofDrivers = new Set(['hello', 'isMaster', 'ping', 'serverStatus']);
const writing = ['insert', 'update', 'delete', 'findAndModify'];

const { path: binary, missing } = findMongod();
const onMongod = missing === undefined ? test : test.skip;

let mongod: RunningMongod;
let client: mongoose.mongo.MongoClient;
const desks: Desk[] = [];
const folders: Awaited<ReturnType<typeof temporaryDataDir>>[] = [];
beforeAll(async () => {
  if (missing !== undefined) return console.warn(missing);
  mongod = await startMongod({ binary });
  client = await new mongoose.mongo.MongoClient(mongod.uri).connect();
  const uri = new URL(mongod.uri);
  uri.pathname = '/desk';
  for (let n = 0; n < processes; n += 1) {
    const folder = await temporaryDataDir();
    folders.push(folder);
    const env = { MONGODB_URI: uri.href };
    desks.push(await startDesk({ dataDir: folder.dataDir, env, isApiAlone: true }));
  }
});
afterAll(async () => {
  for (const desk of desks) await desk.kill();
  await client?.close();
  await mongod?.end();
  for (const folder of folders) await folder.remove();
});

/** Number of commands that the server has run, by name. */
async function countCommands(): Promise<Map<string, number>> {
  const { metrics } = await client.db('admin').command({ serverStatus: 1 });
  const all = Object.entries(metrics.commands as Record<string, { total?: bigint | number }>);
  return new Map(all.map(([name, { total }]) => [name, Number(total ?? 0)]));
}

onMongod('three processes without visitors send at most 60 commands a minute, and one write', async () => {
  const jobs = client.db('desk').collection('jobs');
  // What a start does is over: the next job is due long after the time that is counted.
  const soon = () => new Date(Date.now() + 10 * countedMs);
  while (await jobs.findOne({ dueAt: { $lt: soon() } })) await delay(500);

  const before = await countCommands();
  await delay(countedMs);
  const after = await countCommands();

  const sent = [...after]
    .map(([name, total]) => [name, total - (before.get(name) ?? 0)] as const)
    .filter(([name, count]) => count > 0 && !ofDrivers.has(name));
  const sum = (some: typeof sent) => some.reduce((all, [, count]) => all + count, 0);
  const minutes = countedMs / 60_000;
  expect([sent, sum(sent) <= 60 * minutes]).toEqual([sent, true]);
  expect([sent, sum(sent.filter(([name]) => writing.includes(name))) <= minutes]).toEqual([sent, true]);
});
