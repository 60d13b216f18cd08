import { createHash } from 'node:crypto';
import type { PipelineStage, Types } from 'mongoose';
import type { RecordFilter } from '../../contract/contract.ts';
import { invalidRequest } from '../../contract/errors.ts';
import { createBreather } from '../../store/breathe.ts';
import { cutPage, type Position, readCursor, writeCursor } from '../../store/cursor.ts';
import { maxTimeMS } from '../../store/query-limit.ts';
import type { Contacts } from '../contacts.ts';
import type { PageRequest } from '../conversations.ts';
import { type DayRange, dayRange } from '../day-range.ts';
import type { HiddenRecords, RecordCondition } from '../erasure/hidden-records.ts';
import type { RecordDocument, RecordModel } from '../record.ts';
import { contactTerm, feedbackTerm, sourceTerm } from './record-terms.ts';
import { readWords, type SearchWords } from './search-words.ts';

/** Counting ends here: beyond, it is "more". */
export const mostCounted = 10_000;

/**
 * The owner's records that a filter finds, newest first by (createdAt, id); erased and hidden ones never. Every reading goes along an
 * index: of the rarest term that must occur, or of the date. All throw ambiguousContact for a name of several contacts, and
 * invalidRequest('text') for a text without a letter or a digit.
 */
export interface MatchingRecords {
  /**
   * The total is that of the first page: its cursor takes it along, so that the later ones need not count again.
   *
   * @throws invalidRequest('cursor') for one of another filter.
   */
  page(owner: string, filter: RecordFilter, request: PageRequest): Promise<MatchingPage>;
  count(owner: string, filter: RecordFilter): Promise<MatchingCount>;
  /**
   * Runs `stages` on them in the store. null where their texts have to be held against the words, which the store cannot do: see `each`.
   */
  aggregate<T>(owner: string, filter: RecordFilter, stages: PipelineStage[]): Promise<T[] | null>;
  /** All of them, in slices that leave room for other calls; only `fields` of them where given. */
  each<F extends keyof RecordDocument>(
    owner: string,
    filter: RecordFilter,
    fields: readonly F[],
  ): AsyncIterable<Pick<RecordDocument, F | '_id'>[]>;
}

/** Exact up to `mostCounted`. */
export interface MatchingCount {
  total: number;
  totalIsMore: boolean;
}

export interface MatchingPage extends MatchingCount {
  records: RecordDocument[];
  nextCursor: string | null;
}

/** Time that the store may spend on figures of all records that a filter finds, in ms. */
const longestAggregateMs = 60_000;
/** Records read in one go. */
const slice = 500;
/** And where they are only held against the text. */
const verifiedSlice = 500;
const verifiedFields = { question: 1, answer: 1, createdAt: 1 } as const;
/** Every record has one of these terms. */
const everySource = (['curated', 'document', 'model', 'none'] as const).map(sourceTerm);

/** The end of a page, and how many the first one counted. */
type CountedPosition = Required<Position>;

/** A filter as the store is asked for it. */
interface Wanted {
  words: SearchWords | null;
  terms: string[];
  days: DayRange;
  /** Names the filter: a cursor is good for one of the same name. */
  name: string;
}

export function createMatchingRecords(deps: {
  records: RecordModel;
  contacts: Contacts;
  hidden: HiddenRecords;
}): MatchingRecords {
  const { records, contacts, hidden } = deps;

  async function read(owner: string, filter: RecordFilter): Promise<Wanted> {
    const { text = '', contact, from, to, tz = 'UTC', source, feedback } = filter;
    const words = readWords(text);
    if (!words && text.trim() !== '') throw invalidRequest('text');
    const contactId = contact === undefined ? null : await contacts.idOf(owner, contact);
    const facets = [
      ...(contactId === null ? [] : [contactTerm(contactId)]),
      ...(source ? [sourceTerm(source)] : []),
      ...(feedback ? [feedbackTerm(feedback)] : []),
    ];
    const days = dayRange(from, to, tz);
    const name = JSON.stringify([words?.key ?? '', facets, days.since, days.until]);
    return {
      words,
      terms: [...facets, ...(words?.terms ?? [])],
      days,
      name: `search ${createHash('sha256').update(name).digest('base64url').slice(0, 22)}`,
    };
  }

  /** What the index knows of the filter. What is erased has no terms. */
  async function indexed(owner: string, { terms }: Wanted): Promise<RecordCondition> {
    const found = terms.length > 0 ? { terms: { $all: terms } } : { erasedBy: null };
    return { owner, ...found, ...(await hidden.notHidden(owner)) };
  }

  /**
   * Up to `size` candidates behind `position`: what the index knows of the filter holds for them. Every condition is one that a stretch of
   * the index meets, so that no record is read which is not wanted; therefore those of the very time of `position` are a query of their own.
   */
  async function candidates(
    owner: string,
    asked: Wanted,
    position: Position | null,
    size: number,
    projection: Record<string, 1> | null,
  ): Promise<RecordDocument[]> {
    const { days } = asked;
    const wanted = await indexed(owner, asked);
    const find = (condition: RecordCondition) =>
      records
        .find({ ...wanted, ...condition }, projection)
        .sort({ createdAt: -1, _id: -1 })
        .limit(size)
        .batchSize(slice)
        .lean<RecordDocument[]>();
    if (!position) return find(within(days));
    const until = days.until && days.until < position.at ? days.until : position.at;
    const isWithin = until === position.at && (!days.since || days.since <= position.at);
    const [sameTime, older] = await Promise.all([
      isWithin ? find({ createdAt: position.at, _id: { $lt: position.id } }) : [],
      find(within({ ...days, until })),
    ]);
    return [...sameTime, ...older].slice(0, size);
  }

  /** All that match behind `from`, slice by slice. Whoever reads on tells how much is left to read. */
  async function* matching(
    owner: string,
    wanted: Wanted,
    from: Position | null,
    sizeOf: () => number,
    projection: Record<string, 1> | null = null,
  ): AsyncGenerator<RecordDocument[]> {
    for (let position = from; ; ) {
      const size = sizeOf();
      const found = await candidates(owner, wanted, position, size, projection);
      const { words } = wanted;
      yield words?.isLoose ? await verified(found, words) : found;
      const last = found.at(-1);
      if (!last || found.length < size) return;
      position = positionOf(last);
    }
  }

  /** The same from the newest on, in one reading of the index: the next are on their way while these are held against the words. */
  async function* matchingInOne(owner: string, { words, terms, days }: Wanted) {
    const wanted = { owner, terms: { $all: terms }, ...within(days), ...(await hidden.notHidden(owner)) };
    // Past mongoose, which hands on one by one.
    const cursor = records.collection.find<RecordDocument>(wanted, {
      projection: verifiedFields,
      sort: { createdAt: -1, _id: -1 },
      batchSize: verifiedSlice,
      maxTimeMS,
    });
    let next = cursor.hasNext();
    try {
      while (await next) {
        const found = cursor.readBufferedDocuments();
        next = cursor.hasNext();
        // Told where it is awaited.
        next.catch(() => {});
        yield words ? await verified(found, words) : found;
      }
    } finally {
      // Not while the store is at it.
      await next.catch(() => {});
      await cursor.close();
    }
  }

  /** From the index alone: the terms say it all. */
  async function countByTerms(owner: string, { terms, days }: Wanted): Promise<number> {
    const notHidden = await hidden.notHidden(owner);
    const alternatives = terms.length > 0 ? [terms] : everySource.map((term) => [term]);
    const counts = await Promise.all(
      alternatives.map((all) =>
        // Without `erasedBy`: what is erased has no terms, and the index does not know of it.
        records.countDocuments(
          { owner, terms: { $all: all }, ...within(days), ...notHidden },
          { limit: mostCounted + 1 },
        ),
      ),
    );
    return Math.min(
      mostCounted + 1,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  /** What has the terms is held against the text once, for the page and for the count. */
  async function pageOfLoose(
    owner: string,
    wanted: Wanted,
    from: CountedPosition | null,
    limit: number,
  ): Promise<{ places: Position[]; count: number }> {
    const places: Position[] = [];
    const all = from
      ? matching(owner, wanted, from, () => slice, verifiedFields)
      : matchingInOne(owner, wanted);
    let count = 0;
    for await (const found of all) {
      count += found.length;
      places.push(...found.slice(0, limit + 1 - places.length).map(positionOf));
      if (count > (from ? limit : mostCounted)) break;
    }
    return { places, count: from?.counted ?? count };
  }

  /** As they stand there now: one that went meanwhile is left out. */
  async function recordsAt(owner: string, places: readonly Position[]): Promise<RecordDocument[]> {
    if (places.length === 0) return [];
    const condition = { _id: { $in: places.map(({ id }) => id) }, owner, erasedBy: null };
    const found = await records
      .find({ ...condition, ...(await hidden.notHidden(owner)) })
      .lean<RecordDocument[]>();
    const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
    return places.flatMap(({ id }) => byId.get(id.toHexString()) ?? []);
  }

  async function countLoose(owner: string, wanted: Wanted): Promise<number> {
    return (await pageOfLoose(owner, wanted, null, 0)).count;
  }

  const countAll = (owner: string, wanted: Wanted) =>
    (wanted.words?.isLoose ? countLoose : countByTerms)(owner, wanted);

  return {
    async page(owner, filter, { limit, cursor }) {
      const wanted = await read(owner, filter);
      const from = cursor === undefined ? null : countedPosition(wanted.name, cursor);
      if (wanted.words?.isLoose) {
        const { places, count } = await pageOfLoose(owner, wanted, from, limit);
        const cut = cutPage(places, limit, (last) => writeCursor(wanted.name, { ...last, counted: count }));
        const page = await recordsAt(owner, cut.page);
        return { records: page, nextCursor: cut.nextCursor, ...counted(count) };
      }
      const [found, count] = await Promise.all([
        candidates(owner, wanted, from, limit + 1, null),
        from?.counted ?? countByTerms(owner, wanted),
      ]);
      const { page, nextCursor } = cutPage(found, limit, (last) =>
        writeCursor(wanted.name, { ...positionOf(last), counted: count }),
      );
      return { records: page, nextCursor, ...counted(count) };
    },

    async count(owner, filter) {
      return counted(await countAll(owner, await read(owner, filter)));
    },

    async aggregate<T>(owner: string, filter: RecordFilter, stages: PipelineStage[]) {
      const wanted = await read(owner, filter);
      if (wanted.words?.isLoose) return null;
      const $match = { ...(await indexed(owner, wanted)), ...within(wanted.days) };
      return records.aggregate<T>([{ $match }, ...stages]).option({ maxTimeMS: longestAggregateMs });
    },

    async *each<F extends keyof RecordDocument>(owner: string, filter: RecordFilter, fields: readonly F[]) {
      const wanted = await read(owner, filter);
      const needed = [...fields, 'createdAt', ...(wanted.words?.isLoose ? ['question', 'answer'] : [])];
      const projection = Object.fromEntries(needed.map((field) => [field, 1 as const]));
      for await (const found of matching(owner, wanted, null, () => slice, projection)) {
        if (found.length > 0) yield found as Pick<RecordDocument, F | '_id'>[];
      }
    },
  };
}

/** @throws invalidRequest('cursor') also for one with a total that no first page has told. */
function countedPosition(name: string, cursor: string): CountedPosition {
  const { counted: count, ...position } = readCursor(name, cursor);
  if (count === undefined || count < 0 || count > mostCounted + 1) throw invalidRequest('cursor');
  return { ...position, counted: count };
}

function counted(count: number): MatchingCount {
  return { total: Math.min(count, mostCounted), totalIsMore: count > mostCounted };
}

function within({ since, until }: DayRange): RecordCondition {
  if (!since && !until) return {};
  return { createdAt: { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) } };
}

/** Those that have the words. Long texts take their time: other calls come in between. */
async function verified(found: RecordDocument[], words: SearchWords): Promise<RecordDocument[]> {
  const breathe = createBreather();
  const matched: RecordDocument[] = [];
  for (const record of found) {
    if (words.matches(record)) matched.push(record);
    await breathe();
  }
  return matched;
}

function positionOf({ createdAt, _id }: { createdAt: Date; _id: Types.ObjectId }): Position {
  return { at: createdAt, id: _id };
}
