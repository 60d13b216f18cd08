import mongoose from 'mongoose';
import { createContactReader } from '../../api/src/records/contact-book/contact-details.ts';
import { createContacts } from '../../api/src/records/contacts.ts';
import { createHiddenRecords } from '../../api/src/records/hidden-records.ts';
import { createMatchingRecords } from '../../api/src/records/search/matching-records.ts';
import { createCountedDays } from '../../api/src/records/statistics/counted-days.ts';
import { createStats } from '../../api/src/records/statistics/stats.ts';
import { readsOnMongodb } from '../../api/src/testing/mongodb-reads.ts';
import { openTestStore, type TestStore } from '../../api/src/testing/open-test-models.ts';
import { findMongod } from '../mongod/find-mongod.ts';
import { startMongod } from '../mongod/start-mongod.ts';
import { temporaryDataDir } from '../start-desk.ts';
import type { Figure, PartResult } from './figures.ts';
import { SEARCHES } from './search-part.ts';
import { CONTACTS, contactOf, randomFrom, writeRecords } from './searched-records.ts';
import { percentile } from './statistics.ts';

const PAGE = 20;
const ROUNDS = 15;
const OWNERS = 1000;
const LIGHT_RECORDS = 1000;
const HEAVY_SHARE = 0.3;
const HEAVY = 'user:heavy';
const LIGHT = 'user:light';
/** A factor by which a heavy owner's call may take longer than the same call on a small database. */
const AIM_RATIO = 10;

interface Options {
  /** Of all owners together. */
  records: number;
  log(line: string): void;
}

/**
 * The records of a thousand owners in one database, of which one has 30 %, on the embedded store and on MongoDB: calls of
 * that owner and of one with a thousand records, compared with those of an owner with a thousand in a database of its own.
 */
export async function measureScale({ records, log }: Options): Promise<PartResult[]> {
  const { dataDir, remove } = await temporaryDataDir();
  try {
    const parts = [await measureOn('embedded store', null, dataDir, records, log)];
    const { path, missing } = findMongod();
    if (missing !== undefined) log(`skipped on MongoDB: ${missing}`);
    else {
      const mongod = await startMongod({ binary: path, parent: dataDir });
      try {
        parts.push(await measureOn('MongoDB', mongod.uri, dataDir, records, log));
      } finally {
        await mongod.end();
      }
    }
    return parts;
  } finally {
    await remove();
  }
}

async function measureOn(
  name: string,
  server: string | null,
  parent: string,
  records: number,
  log: (line: string) => void,
): Promise<PartResult> {
  const open = (database: string) =>
    openTestStore({
      mongodbUri: server?.replace('/?', `/${database}?monitorCommands=true&`) ?? null,
      dataDir: `${parent}/${database}`,
    });
  const small = await open('small');
  await writeOwner(small, LIGHT, LIGHT_RECORDS, 1);
  const alone = await measureCalls(small, LIGHT, server !== null);
  await small.close();

  const large = await open('large');
  try {
    log(`${name}: writing ${records} records`);
    const heavy = Math.round(records * HEAVY_SHARE);
    const start = performance.now();
    await writeOwner(large, HEAVY, heavy, 2, log);
    await writeOwner(large, LIGHT, LIGHT_RECORDS, 1);
    const each = Math.round((records - heavy - LIGHT_RECORDS) / (OWNERS - 2));
    for (let other = 0; other < OWNERS - 2; other++)
      await writeRecords(large.models, `guest:other-${other}`, each, 3 + other);
    log(`${name}: written in ${Math.round((performance.now() - start) / 1000)} s`);
    const ofLight = await measureCalls(large, LIGHT, server !== null);
    const ofHeavy = await measureCalls(large, HEAVY, server !== null);
    const figures: Figure[] = [];
    const details: string[] = [];
    for (const [kind, call] of alone) {
      const among = ofLight.get(kind)!;
      const busy = ofHeavy.get(kind)!;
      const median = ({ times }: Call) => percentile(times, 0.5);
      figures.push({
        name: `${kind}: heavy owner ÷ small database`,
        value: median(busy) / median(call),
        unit: '',
        aim: AIM_RATIO,
      });
      figures.push({
        name: `${kind}: light owner ÷ small database`,
        value: median(among) / median(call),
        unit: '',
      });
      details.push(
        `${kind}: p95 ${[call, among, busy].map(({ times }) => percentile(times, 0.95).toFixed(1)).join(' / ')} ms (small, light, heavy)${busy.reads ? `; heavy reads ${busy.reads}` : ''}`,
      );
    }
    details.push(...(server ? await sizes(large, server) : []));
    return {
      part: `scale on ${name}`,
      about: `${records} records of ${OWNERS} owners, one with ${heavy}; ${ROUNDS} calls of each kind one after the other`,
      figures,
      details,
    };
  } finally {
    await large.close();
  }
}

async function writeOwner(
  { models }: TestStore,
  owner: string,
  count: number,
  seed: number,
  log?: (line: string) => void,
): Promise<void> {
  await writeRecords(models, owner, count, seed, log);
  const dates = { lastUsedAt: new Date() };
  await models.contacts.insertMany(
    Array.from({ length: CONTACTS }, (_, n) => ({ owner, contactId: contactOf(n), name: '', ...dates })),
  );
}

interface Call {
  times: number[];
  /** What MongoDB examines for one call; '' on the embedded store. */
  reads: string;
}

async function measureCalls(
  { models, connection }: TestStore,
  owner: string,
  isMongodb: boolean,
): Promise<Map<string, Call>> {
  const hidden = createHiddenRecords(models.deletions);
  const contacts = createContacts(models, hidden);
  const matching = createMatchingRecords({ records: models.records, contacts, hidden });
  const countedDays = createCountedDays(models);
  await countedDays.sweep(new AbortController().signal);
  const stats = createStats({ models, contacts, hidden, matching, countedDays, countSoon: async () => {} });
  const book = createContactReader(models, contacts, hidden);
  const request = { limit: PAGE };
  const calls: Record<string, (random: () => number) => Promise<unknown>> = {
    list: () => matching.page(owner, {}, request),
    ...Object.fromEntries(
      Object.entries(SEARCHES).map(([kind, filterOf]) => [
        kind,
        (random: () => number) => matching.page(owner, filterOf(random), request),
      ]),
    ),
    'contacts with details': () => book.list(owner, '', request),
    'statistics of a month': () => stats.of(owner, { from: '2025-03-01', to: '2025-03-31' }),
    statistics: () => stats.of(owner, {}),
  };
  const measured = new Map<string, Call>();
  for (const [kind, call] of Object.entries(calls)) {
    const random = randomFrom(2);
    const times: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const start = performance.now();
      await call(random);
      if (round >= 0) times.push(performance.now() - start);
    }
    const reads = isMongodb ? await readsOnMongodb(connection, () => call(random)) : null;
    measured.set(kind, { times, reads: reads ? `${reads.keys} keys, ${reads.documents} documents` : '' });
  }
  return measured;
}

/** Bytes of each record, and of an entry of the index of terms. */
async function sizes({ models }: TestStore, server: string): Promise<string[]> {
  // The product's connection is limited to the Stable API, which does not tell them.
  const client = await new mongoose.mongo.MongoClient(server).connect();
  const [found] = await client
    .db('large')
    .collection('records')
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  await client.close();
  const { count, storageSize, totalIndexSize, indexSizes } = found!.storageStats;
  const terms =
    Object.entries<number>(indexSizes).find(([name]) => name.startsWith('owner_1_terms'))?.[1] ?? 0;
  const [{ entries } = { entries: 1 }] = await models.records.aggregate<{ entries: number }>([
    { $limit: LIGHT_RECORDS },
    { $group: { _id: null, entries: { $sum: { $size: '$terms' } } } },
  ]);
  return [
    `bytes of each record: ${Math.round(storageSize / count)} and ${Math.round(totalIndexSize / count)} of indexes; of each index entry of a term: ${((terms * LIGHT_RECORDS) / (count * entries)).toFixed(1)}`,
  ];
}
