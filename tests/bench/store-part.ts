import { Types } from 'mongoose';
import { openTestStore, type TestStore } from '../../api/src/testing/open-test-models.ts';
import { temporaryDataDir } from '../start-desk.ts';
import type { PartResult } from './figures.ts';
import { percentile } from './statistics.ts';

const RECORDS = 100_000;
const BATCH = 1000;
const READS = 1000;
const PAGE = 20;
const OWNER = 'guest:bench';
const FIRST_DAY = Date.UTC(2026, 0, 1);

/**
 * One owner's records in the embedded store: pages of 20 through mongoose, newest first and at random
 * positions.
 */
export async function measureStore(log: (line: string) => void): Promise<PartResult> {
  const { dataDir, remove } = await temporaryDataDir();
  const store = await openTestStore({ mongodbUri: null, dataDir });
  try {
    log(`writing ${RECORDS} records`);
    const writing = await milliseconds(() => fill(store));
    log(`reading ${READS} pages`);
    const newest = await repeated(() => page(store, undefined));
    const anywhere = await repeated(() =>
      page(store, FIRST_DAY + Math.floor(Math.random() * RECORDS) * 1000),
    );
    const ms = (name: string, values: number[], share: number) => ({
      name: `${name}, p${share * 100}`,
      value: percentile(values, share),
      unit: 'ms',
    });
    return {
      part: 'store',
      about: `the embedded store through mongoose, one owner with ${RECORDS} records, ${READS} reads one after the other`,
      figures: [
        { name: `records written in batches of ${BATCH}`, value: RECORDS / (writing / 1000), unit: '/s' },
        ms(`newest ${PAGE} records`, newest, 0.5),
        ms(`newest ${PAGE} records`, newest, 0.95),
        ms(`${PAGE} records at random positions`, anywhere, 0.5),
        ms(`${PAGE} records at random positions`, anywhere, 0.95),
      ],
      details: [],
    };
  } finally {
    await store.close();
    await remove();
  }
}

async function fill({ models }: TestStore): Promise<void> {
  const conversationId = new Types.ObjectId();
  for (let from = 0; from < RECORDS; from += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => ({
      owner: OWNER,
      conversationId,
      kind: 'chat',
      status: 'done',
      question: `第 ${from + index} 个问题：怎么备份数据？`,
      answer: '停止服务后复制数据目录即可。Stop the desk and copy its data directory. '.repeat(5),
      source: 'document',
      createdAt: new Date(FIRST_DAY + (from + index) * 1000),
    }));
    await models.records.insertMany(batch);
  }
}

async function page({ models }: TestStore, before: number | undefined): Promise<void> {
  const filter = {
    owner: OWNER,
    erasedBy: null,
    ...(before ? { createdAt: { $lte: new Date(before) } } : {}),
  };
  const found = await models.records.find(filter).sort({ createdAt: -1, _id: -1 }).limit(PAGE).lean();
  if (found.length === 0) throw new Error(`a page before ${before} must have records, got none`);
}

async function repeated(read: () => Promise<void>): Promise<number[]> {
  for (let count = 0; count < 50; count += 1) await read();
  const times: number[] = [];
  for (let count = 0; count < READS; count += 1) times.push(await milliseconds(read));
  return times;
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
