import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordFilter } from '../../api/src/contract/search.ts';
import { createContacts } from '../../api/src/records/contacts.ts';
import { createHiddenRecords } from '../../api/src/records/hidden-records.ts';
import { createMatchingRecords } from '../../api/src/records/search/matching-records.ts';
import { createSearch, type Search } from '../../api/src/records/search/search.ts';
import { openTestStore, type TestStore } from '../../api/src/testing/open-test-models.ts';
import { temporaryDataDir } from '../start-desk.ts';
import type { Figure, PartResult } from './figures.ts';
import { contactOf, OWNER, randomFrom, writeRecords } from './searched-records.ts';
import { percentile } from './statistics.ts';

const PAGE = 20;
const ROUNDS = 40;
const AIM_MS = 50;
/**
 * The number of records of an owner whose searches should not become slower while others' records grow
 * tenfold.
 */
const FIXED = 10_000;

interface Options {
  /** Numbers of records of the searching owner, one benchmark each. */
  sizes: readonly number[];
  log(line: string): void;
}

/** POST /api/search without HTTP: a page of 20 with highlights and the total, on the embedded store. */
export async function measureSearch({ sizes, log }: Options): Promise<PartResult> {
  const figures: Figure[] = [];
  const details: string[] = [];
  for (const size of sizes) {
    await withStore(async (store, dataDir) => {
      log(`writing ${size} records`);
      const start = performance.now();
      await writeRecords(store.models, OWNER, size, 1, log);
      const seconds = (performance.now() - start) / 1000;
      const megabytes = statSync(join(dataDir, 'store.sqlite')).size / 1e6;
      details.push(
        `${size} records: written in ${seconds.toFixed(1)} s (${Math.round(size / seconds)}/s), ${Math.round(megabytes)} MB`,
      );
      log('searching');
      const found = await searchAll(searchOf(store));
      figures.push(...figuresOf(`${inThousands(size)} records`, found));
      for (const [kind, { times, total }] of found)
        details.push(
          `${inThousands(size)}, ${kind}: p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms, finds ${total}`,
        );
    });
  }
  figures.push(await measureFlatness(log));
  return {
    part: 'search',
    about: `page of ${PAGE} with highlights and total, ${ROUNDS} searches of each kind one after the other, embedded store`,
    figures,
    details,
  };
}

async function withStore(work: (store: TestStore, dataDir: string) => Promise<void>): Promise<void> {
  const { dataDir, remove } = await temporaryDataDir();
  const store = await openTestStore({ mongodbUri: null, dataDir });
  try {
    await work(store, dataDir);
  } finally {
    await store.close();
    await remove();
  }
}

function searchOf({ models }: TestStore): Search {
  const hidden = createHiddenRecords(models.deletions);
  const contacts = createContacts(models, hidden);
  const matching = createMatchingRecords({ records: models.records, contacts, hidden });
  return createSearch(matching, { titled: async () => [] }, hidden);
}

/** From common to rare words. Each round uses different words. */
export const SEARCHES: Record<string, (random: () => number) => RecordFilter> = {
  'one common word': (random) => ({ text: oneOf(['备份', '数据', '恢复', 'desk', 'answer'], random) }),
  'two common words': (random) => ({
    text: `${oneOf(['怎么', '备份', '数据'], random)} ${oneOf(['answer', '恢复', '系统'], random)}`,
  }),
  'a rare word': (random) => ({ text: `case${Math.floor(random() * 300)}` }),
  'a common and a rare word': (random) => ({ text: `备份 case${Math.floor(random() * 100)}` }),
  'a phrase': (random) => ({ text: oneOf(['"备份数据"', '"怎么恢复"', '「数据系统」'], random) }),
  'contact and dates': (random) => ({
    contact: contactOf(Math.floor(random() * 20)),
    from: '2024-03-01',
    to: '2024-09-30',
  }),
  'word, contact and source': (random) => ({
    text: '数据',
    contact: contactOf(Math.floor(random() * 20)),
    source: 'curated',
  }),
  'dates alone': (random) => ({ from: `2024-0${1 + Math.floor(random() * 9)}-01`, to: '2024-12-31' }),
};

function oneOf<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

type Found = Map<string, { times: number[]; total: string }>;

async function searchAll(search: Search): Promise<Found> {
  const found: Found = new Map();
  for (const [kind, filterOf] of Object.entries(SEARCHES)) {
    const random = randomFrom(2);
    const times: number[] = [];
    let total = '';
    for (let round = -3; round < ROUNDS; round++) {
      const filter = filterOf(random);
      const start = performance.now();
      const page = await search.page(OWNER, filter, { limit: PAGE });
      if (round >= 0) times.push(performance.now() - start);
      total = `${page.total}${page.totalIsMore ? '+' : ''}`;
    }
    found.set(kind, { times, total });
  }
  return found;
}

function figuresOf(name: string, found: Found): Figure[] {
  const times = [...found.values()].flatMap((kind) => kind.times);
  return [
    { name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms' },
    { name: `${name}, p95`, value: percentile(times, 0.95), unit: 'ms', aim: AIM_MS },
  ];
}

/** The same owner's searches before and after others have ten times as many records: ratio of the medians. */
async function measureFlatness(log: (line: string) => void): Promise<Figure> {
  let ratio = Number.NaN;
  await withStore(async (store) => {
    await writeRecords(store.models, OWNER, FIXED, 1);
    await writeRecords(store.models, 'guest:other', FIXED / 2, 3);
    const before = medianOf(await searchAll(searchOf(store)));
    log('more records of others');
    for (let other = 0; other < 10; other++)
      await writeRecords(store.models, `guest:other-${other}`, FIXED / 2, 4 + other);
    ratio = medianOf(await searchAll(searchOf(store))) / before;
  });
  return { name: `p50 for ${inThousands(FIXED)} records, others' records × 11`, value: ratio, unit: '' };
}

const medianOf = (found: Found) =>
  percentile(
    [...found.values()].flatMap(({ times }) => times),
    0.5,
  );

const inThousands = (count: number) => `${Math.round(count / 1000)}k`;
