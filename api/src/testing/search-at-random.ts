import { expect } from '@jest/globals';
import { Types } from 'mongoose';
import { stemmer } from 'stemmer';
import type { RecordFilter } from '../contract/search.ts';
import type { RecordDocument } from '../records/record.ts';
import type { MatchingRecords } from '../records/search/matching-records.ts';
import { answererOf } from '../records/search/record-terms.ts';
import { readWords } from '../records/search/search-words.ts';
import { fold as foldAnew } from '../text/fold.ts';
import { finishedRecord, type TestModels } from './open-test-models.ts';
import { createRandom } from './random.ts';

export const seed = Number(process.env.TEST_SEED ?? 20261121);
const random = createRandom(seed);

/** Runs random searches among `all`, and compares with a full scan of the texts. */
export async function searchAtRandom(
  matching: MatchingRecords,
  all: readonly RecordDocument[],
  searches: number,
): Promise<void> {
  let found = 0;
  for (let n = 0; n < searches; n += 1) {
    const owner = random.pick(owners);
    const { filter, needles, isIn } = randomFilter();
    const expected = all
      .filter((record) => record.owner === owner && !record.erasedBy && isIn(record))
      .sort(newestFirst);
    const limit = Math.min(100, Math.ceil(expected.length / (1 + random.int(3))) + random.int(2) || 1);

    const read = await readPages(matching, owner, filter, limit);
    const counted = await matching.count(owner, filter);

    const what = { n, owner, filter };
    expect({ ...what, ids: idsOf(read) }).toEqual({ ...what, ids: idsOf(expected) });
    expect({ ...what, ...counted }).toEqual({ ...what, total: expected.length, totalIsMore: false });
    for (const record of read.slice(0, 5)) checkHighlights(record, filter.text ?? '', needles);
    found += read.length;
  }
  expect(found).toBeGreaterThan(10 * searches);
}

/** Each with a random owner. */
export function randomRecords(count: number): RecordDocument[] {
  return Array.from({ length: count }, () => randomRecord(random.pick(owners)));
}

export async function insertRecords(models: TestModels, records: RecordDocument[]): Promise<void> {
  await models.records.insertMany(records);
  for (const owner of owners) {
    for (const contact of people) {
      if (records.some((record) => record.owner === owner && record.contact?.id === contact.id)) {
        await models.contacts.updateOne(
          { owner, contactId: contact.id },
          { $set: { name: contact.name, lastUsedAt: new Date() } },
          { upsert: true },
        );
      }
    }
  }
}

export async function readPages(
  matching: MatchingRecords,
  owner: string,
  filter: RecordFilter,
  limit: number,
): Promise<RecordDocument[]> {
  const all: RecordDocument[] = [];
  let cursor: string | undefined;
  do {
    const { records, nextCursor } = await matching.page(owner, filter, { limit, cursor });
    expect(records.length).toBeLessThanOrEqual(limit);
    all.push(...records);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** In the order of the records. */
export const idsOf = (records: readonly { _id: Types.ObjectId }[]) =>
  records.map(({ _id }) => _id.toHexString());

function checkHighlights(record: RecordDocument, query: string, needles: Sought[]): void {
  const highlights = readWords(query)?.highlights(record) ?? [];
  for (const field of ['question', 'answer'] as const) {
    let end = 0;
    for (const mark of highlights.filter((other) => other.field === field)) {
      expect(mark.start).toBeGreaterThanOrEqual(end);
      expect(mark.end).toBeGreaterThan(mark.start);
      end = mark.end;
    }
    expect(end).toBeLessThanOrEqual(record[field].length);
  }
  const shown = highlights.map(({ field, start, end }) => record[field].slice(start, end));
  expect(shown.every((part) => part.isWellFormed())).toBe(true);
  for (const needle of needles) expect(shown.some((part) => needle.isIn(part))).toBe(true);
}

/**
 * A search and its expected result: its notation, and whether a text contains it, judged from the text only.
 */
interface Sought {
  written: string;
  isIn(text: string): boolean;
}

/** Memoises, since the scan reads the same texts repeatedly. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? read(text);
    known.set(text, value);
    return value;
  };
}

const fold = remembered(foldAnew);
const stem = (word: string) => {
  const bare = word.replace(/'s$/, '').replace(/'/g, '');
  return bare.length > 2 ? stemmer(bare) : bare;
};
const stems = remembered((text) => new Set((fold(text).match(/[a-z]+(?:'[a-z]+)*/g) ?? []).map(stem)));
const numbers = remembered(
  (text) =>
    new Set((fold(text).match(/\d+(?:[.,]\d+)*/g) ?? []).map((number) => number.replace(/,(?=\d{3})/g, ''))),
);
const inOneLine = remembered((text) => fold(text).replace(/\s+/g, ' '));

// Few characters, so that pairs occur without the whole run.
const hanzi = ['退', '款', '账', '户', '電', '话', '訂', '单', '臺', '𠮷'];
const words = ['Refund', 'refunds', 'refunded', 'API', 'ＡＰＩ', "don't", 'order', "customer's", 'x'];
const figures = ['1,000', '1000', '１０００', '3.5', '5', '12'];
const marks = [' ', ' ', '\u3000', '\n', '  ', '，', '。', '-', "'", '(', '.*', '/', '"', '👍'];

function hanziRun(longest: number): string {
  return Array.from({ length: 1 + random.int(longest) }, () => random.pick(hanzi)).join('');
}

function text(pieces: number): string {
  let made = '';
  for (let n = random.int(pieces + 1); n > 0; n -= 1) {
    const piece = random.int(4);
    made += piece < 2 ? hanziRun(5) : piece === 2 ? random.pick(words) : random.pick(figures);
    if (random.chance(0.7)) made += random.pick(marks);
  }
  return made;
}

const variants: Record<string, string> = {
  账: '賬',
  户: '戶',
  電: '电',
  话: '話',
  訂: '订',
  单: '單',
  臺: '台',
};
const otherwise = (written: string) =>
  random.chance(0.5)
    ? written.replace(/./gu, (character) => variants[character] ?? character)
    : written.toUpperCase();

function sought(): Sought {
  const kind = random.int(5);
  if (kind < 2) {
    const run = hanziRun(4);
    return { written: otherwise(run), isIn: (inside) => fold(inside).includes(fold(run)) };
  }
  if (kind === 2) {
    const word = random.pick(words);
    const wanted = stem(fold(word));
    return {
      written: otherwise(word),
      isIn: (inside) => stems(inside).has(wanted),
    };
  }
  if (kind === 3) {
    const number = random.pick(figures);
    const [wanted] = numbers(number);
    return { written: number, isIn: (inside) => numbers(inside).has(wanted!) };
  }
  return phrase();
}

function phrase(): Sought {
  const inside = `${text(3).replace(/"/g, '')}${random.pick([...hanzi, ...words])}`.trim();
  const [open, close] = random.pick([
    ['"', '"'],
    ['“', '”'],
    ['「', '」'],
  ] as const);
  const plain = (written: string) => fold(written).trim().replace(/\s+/g, ' ');
  const wanted = plain(inside);
  return {
    written: `${open}${otherwise(inside)}${close}`,
    isIn(written) {
      const whole = inOneLine(written);
      for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
        if (!cuts(whole, at) && !cuts(whole, at + wanted.length)) return true;
      }
      return false;
    },
  };
}

/** Whether position `at` is inside a word or a number of `whole`. */
function cuts(whole: string, at: number): boolean {
  const pattern = /\d+(?:[.,]\d+)*|[a-z]+(?:'[a-z]+)*/g;
  return [...whole.matchAll(pattern)].some((found) => found.index < at && at < found.index + found[0].length);
}

const people = [
  { id: '13800138000', name: '张三' },
  { id: 'zhang@example.com', name: '' },
  { id: '张三丰', name: '' },
  { id: '李四', name: 'Li Si' },
];
const sources = ['curated', 'document', 'model', 'none'] as const;
const answerers = [...sources, 'person'] as const;
export const owners = ['user:1', 'user:2', 'guest:3'];
/** Both changes of clocks in Berlin, one in each half. */
export const times = ['2026-03-27T00:00:00Z', '2026-10-23T00:00:00Z'].map((day) => Date.parse(day));
const hour = 3_600_000;

export function randomRecord(owner: string): RecordDocument {
  return finishedRecord({
    owner,
    contact: random.chance(0.3) ? null : random.pick(people),
    question: text(6) || '？',
    answer: text(12),
    source: random.pick(sources),
    ...(random.chance(0.2) ? { answeredByPerson: true as const } : {}),
    feedback: random.chance(0.6) ? null : { rating: random.pick([1, -1]), note: '' },
    // Rounded to quarters of an hour, so that many have the same timestamp.
    createdAt: new Date(random.pick(times) + random.int(5 * 24 * 4) * (hour / 4)),
    answeredAt: null,
    erasedBy: random.chance(0.1) ? new Types.ObjectId() : null,
  });
}

export function newestFirst(a: RecordDocument, b: RecordDocument): number {
  return (
    b.createdAt.getTime() - a.createdAt.getTime() || (a._id.toHexString() < b._id.toHexString() ? 1 : -1)
  );
}

const daysOf = remembered((tz) => new Intl.DateTimeFormat('en-CA', { timeZone: tz }));

function plainDay(record: RecordDocument, tz: string): string {
  return daysOf(tz).format(record.createdAt);
}

function randomFilter(): { filter: RecordFilter; needles: Sought[]; isIn(record: RecordDocument): boolean } {
  const needles = Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3]) }, sought);
  const filter: RecordFilter = {};
  const conditions: ((record: RecordDocument) => boolean)[] = [];
  if (needles.length > 0) {
    filter.text = needles.map(({ written }) => written).join(' ');
    for (const { isIn } of needles) conditions.push(({ question, answer }) => isIn(question) || isIn(answer));
  }
  if (random.chance(0.3)) {
    const person = random.pick([...people, null, { id: 'nobody', name: '' }]);
    filter.contact =
      person === null
        ? ''
        : person.id === '13800138000'
          ? random.pick(['+86 138-0013-8000', '张三'])
          : person.id;
    conditions.push(({ contact }) => (contact?.id ?? '') === (person?.id ?? ''));
  }
  if (random.chance(0.3)) {
    const tz = random.pick(['Europe/Berlin', 'Asia/Shanghai', 'America/New_York']);
    const days = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26'];
    const [from, to] = [random.pick(days), random.pick(days)].sort();
    filter.tz = tz;
    if (random.chance(0.7)) {
      filter.from = from!;
      conditions.push((record) => plainDay(record, tz) >= from!);
    }
    if (random.chance(0.7)) {
      filter.to = to!;
      conditions.push((record) => plainDay(record, tz) <= to!);
    }
  }
  if (random.chance(0.2)) {
    const source = random.pick(answerers);
    filter.source = source;
    conditions.push((record) => answererOf(record) === source);
  }
  if (random.chance(0.2)) {
    const feedback = random.pick(['up', 'down', 'none'] as const);
    filter.feedback = feedback;
    const rating = { up: 1, down: -1, none: undefined }[feedback];
    conditions.push((record) => record.feedback?.rating === rating);
  }
  return { filter, needles, isIn: (record) => conditions.every((holds) => holds(record)) };
}
