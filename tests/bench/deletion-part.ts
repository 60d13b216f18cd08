import { pino } from 'pino';
import { openTestDeletions } from '../../api/src/testing/open-test-deletions.ts';
import { openTestStore, type TestStore } from '../../api/src/testing/open-test-models.ts';
import { temporaryDataDir } from '../start-desk.ts';
import type { PartResult } from './figures.ts';
import { OWNER, writeRecords } from './searched-records.ts';
import { percentile } from './statistics.ts';

const OTHER = 'guest:someone-else';
const AIM_MS = 50;
const QUIET_SECONDS = 5;
const EVERY_MS = 2;

interface Options {
  records: number;
  log(line: string): void;
}

/**
 * Deletion of very many records, from the decision to the last mark and the purge, and its effect on another
 * owner's calls.
 */
export async function measureDeletion({ records, log }: Options): Promise<PartResult> {
  const { dataDir, remove } = await temporaryDataDir();
  const store = await openTestStore({ mongodbUri: null, dataDir });
  const { deletions, stop } = openTestDeletions(store, pino({ level: 'warn' }));
  try {
    log(`writing ${records} records`);
    await writeRecords(store.models, OWNER, records, 1, log);
    await writeRecords(store.models, OTHER, 1000, 2);
    log('calls of another owner, undisturbed');
    const quiet = await probe(store, until(QUIET_SECONDS));
    log('deleting');
    let hidden = 0;
    const marking = await during(store, async () => {
      const start = performance.now();
      const deletion = await deletions.deleteDays(
        OWNER,
        { from: '2024-01-01', to: '2026-01-01', tz: 'UTC' },
        undefined,
        false,
      );
      hidden = performance.now() - start;
      if (deletion.matched !== records)
        throw new Error(`all ${records} must be deleted, deleted ${deletion.matched}`);
      await erased(store);
    });
    log('purging');
    const purging = await during(store, async () => {
      await store.models.deletions.updateMany({ owner: OWNER }, { $set: { undoUntil: new Date(0) } });
      await deletions.sweep(new AbortController().signal);
      await gone(store);
    });
    const calls = (name: string, times: number[], aim?: number) => [
      { name: `${name}: p95`, value: percentile(times, 0.95), unit: 'ms' },
      { name: `${name}: longest`, value: Math.max(...times), unit: 'ms', ...(aim ? { aim } : {}) },
    ];
    const longest = (times: number[]) => Math.max(...times) / Math.max(...quiet);
    return {
      part: 'deletion',
      about: `${records} records of one owner erased by date on the embedded store; meanwhile another owner reads a page and writes, one call after the other`,
      figures: [
        { name: 'until the response', value: hidden, unit: 'ms' },
        { name: 'until all are marked', value: marking.ms / 1000, unit: 's' },
        { name: 'until all are purged, and in no database file', value: purging.ms / 1000, unit: 's' },
        ...calls('calls, undisturbed', quiet),
        ...calls('calls while marking', marking.times, AIM_MS),
        ...calls('calls while purging', purging.times, AIM_MS),
        { name: 'longest while marking ÷ undisturbed', value: longest(marking.times), unit: '' },
        { name: 'longest while purging ÷ undisturbed', value: longest(purging.times), unit: '' },
      ],
      details: [
        `calls: ${quiet.length} undisturbed, ${marking.times.length} while marking, ${purging.times.length} while purging`,
      ],
    };
  } finally {
    await stop();
    await store.close();
    await remove();
  }
}

/** Durations of another owner's calls until `isOver`. */
async function probe({ models }: TestStore, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  const one = await models.records.findOne({ owner: OTHER }, { _id: 1 }).lean();
  if (!one) throw new Error(`${OTHER} must have records, got none`);
  const { _id } = one;
  while (!isOver()) {
    const start = performance.now();
    await models.records
      .find({ owner: OTHER, erasedBy: null })
      .sort({ createdAt: -1, _id: -1 })
      .limit(20)
      .lean();
    await models.records.updateOne({ _id, owner: OTHER }, { $inc: { 'lease.pid': 1 } });
    times.push(performance.now() - start);
    await pause(EVERY_MS);
  }
  return times;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function until(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
}

async function during(store: TestStore, work: () => Promise<void>): Promise<{ ms: number; times: number[] }> {
  let isOver = false;
  const probing = probe(store, () => isOver);
  const start = performance.now();
  try {
    await work();
  } finally {
    isOver = true;
  }
  return { ms: performance.now() - start, times: await probing };
}

async function erased({ models }: TestStore): Promise<void> {
  while (await models.deletions.exists({ owner: OWNER, state: 'erasing' })) await pause(50);
}

async function gone({ models }: TestStore): Promise<void> {
  while (await models.deletions.exists({ owner: OWNER, state: { $in: ['erased', 'purging'] } }))
    await pause(50);
}
