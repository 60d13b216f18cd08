import { createHash } from 'node:crypto';
import type { PipelineStage, Types } from 'mongoose';
import type { RecordFilter } from '../../contract/search.ts';
import { invalidRequest } from '../../errors/errors.ts';
import { cutPage, type PageRequest, type Position, readCursor, writeCursor } from '../../store/cursor.ts';
import { maxTimeMS } from '../../store/query-limit.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import type { Contacts } from '../contacts.ts';
import { type DayRange, dayRange } from '../day-range.ts';
import type { HiddenRecords, RecordCondition } from '../hidden-records.ts';
import type { RecordDocument, RecordModel } from '../record.ts';
import { contactTerm, feedbackTerm, sourceTerm } from './record-terms.ts';
import { readWords, type SearchWords } from './search-words.ts';

/** Counting stops here; a larger total is reported as "more". */
const maxCounted = 10_000;

/**
 * The owner's records that a filter finds, newest first by (createdAt, id), never erased or hidden ones.
 * Every query uses an index: that of the rarest required term, or of the date. All methods throw
 * ambiguousContact for an ambiguous name.
 */
export interface MatchingRecords {
  /**
   * The total is determined with the first page and stored in its cursor, so that later pages need not count
   * again.
   * @throws invalidRequest('cursor') for a cursor of another filter.
   */
  page(owner: string, filter: RecordFilter, request: PageRequest): Promise<MatchingPage>;
  count(owner: string, filter: RecordFilter): Promise<MatchingCount>;
  /**
   * Runs `stages` on the matches in the store. null if their texts must be compared with the words, which the
   * store cannot do: use `each`.
   */
  aggregate<T>(owner: string, filter: RecordFilter, stages: PipelineStage[]): Promise<T[] | null>;
  /** All matches, in slices that let other requests run in between; only `fields` if given. */
  each<F extends keyof RecordDocument>(
    owner: string,
    filter: RecordFilter,
    fields: readonly F[],
  ): AsyncIterable<Pick<RecordDocument, F | '_id'>[]>;
}

/** Exact up to `maxCounted`. */
interface MatchingCount {
  total: number;
  totalIsMore: boolean;
}

interface MatchingPage extends MatchingCount {
  records: RecordDocument[];
  nextCursor: string | null;
}

/** Time limit of the store for aggregating all matches of a filter, in ms. */
const aggregateTimeoutMs = 60_000;
/** Records per read. */
const slice = 500;
/** Records per read if they are only compared with the text. */
const verifiedSlice = 500;
const verifiedFields = { question: 1, answer: 1, createdAt: 1 } as const;
/** Every record has one of these terms. */
const everySource = (['curated', 'document', 'model', 'person', 'none'] as const).map(sourceTerm);

/** No record has it: a text without letters or digits finds nothing. */
const noTerm = '=none';

/** The end of a page, and the total of the first page. */
type CountedPosition = Required<Position>;

/** A filter translated for the store. */
interface Wanted {
  words: SearchWords | null;
  terms: string[];
  days: DayRange;
  /** Identifies the filter: a cursor is only valid for the same name. */
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
    const contactId = contact === undefined ? null : await contacts.idOf(owner, contact);
    const facets = [
      ...(contactId === null ? [] : [contactTerm(contactId)]),
      ...(source ? [sourceTerm(source)] : []),
      ...(feedback ? [feedbackTerm(feedback)] : []),
    ];
    const days = dayRange(from, to, tz);
    const name = JSON.stringify([words?.key ?? text.trim(), facets, days.since, days.until]);
    return {
      words,
      terms: [...facets, ...(words?.terms ?? (text.trim() === '' ? [] : [noTerm]))],
      days,
      name: `search ${createHash('sha256').update(name).digest('base64url').slice(0, 22)}`,
    };
  }

  /** The part of the filter that the index covers. Erased records have no terms. */
  async function indexed(owner: string, { terms }: Wanted): Promise<RecordCondition> {
    const found = terms.length > 0 ? { terms: { $all: terms } } : { erasedBy: null };
    return { owner, ...found, ...(await hidden.notHidden(owner)) };
  }

  /**
   * Up to `size` candidates after `position` that match the indexed part of the filter. Every condition is a
   * contiguous index range, so that no unwanted record is read; so candidates with the same timestamp as
   * `position` need a separate query.
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

  /** All matches after `from`, in slices. The consumer passes the number still needed. */
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

  /**
   * The same from the newest record on, as one index scan: the next slice is fetched while the current one is
   * compared with the words.
   */
  async function* matchingInOne(owner: string, { words, terms, days }: Wanted) {
    const wanted = { owner, terms: { $all: terms }, ...within(days), ...(await hidden.notHidden(owner)) };
    // Bypasses mongoose, which returns documents one by one.
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
        // The error is thrown where it is awaited.
        next.catch(() => {});
        yield words ? await verified(found, words) : found;
      }
    } finally {
      // Not while the store is still reading.
      await next.catch(() => {});
      await cursor.close();
    }
  }

  /** Uses only the index: the terms decide everything. */
  async function countByTerms(owner: string, { terms, days }: Wanted): Promise<number> {
    const notHidden = await hidden.notHidden(owner);
    const alternatives = terms.length > 0 ? [terms] : everySource.map((term) => [term]);
    const counts = await Promise.all(
      alternatives.map((all) =>
        // Without `erasedBy`: erased records have no terms, and the index does not contain the field.
        records.countDocuments(
          { owner, terms: { $all: all }, ...within(days), ...notHidden },
          { limit: maxCounted + 1 },
        ),
      ),
    );
    return Math.min(
      maxCounted + 1,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  /** Compares the candidates with the text once, for both the page and the total. */
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
      if (count > (from ? limit : maxCounted)) break;
    }
    return { places, count: from?.counted ?? count };
  }

  /** The current records at these positions; those removed meanwhile are omitted. */
  async function recordsAt(owner: string, places: readonly Position[]): Promise<RecordDocument[]> {
    if (places.length === 0) return [];
    const found = await records
      .find({ _id: { $in: places.map(({ id }) => id) }, ...(await hidden.visible(owner)) })
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
      return records.aggregate<T>([{ $match }, ...stages]).option({ maxTimeMS: aggregateTimeoutMs });
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

/** @throws invalidRequest('cursor') also for a total that no first page could have returned. */
function countedPosition(name: string, cursor: string): CountedPosition {
  const { counted: count, ...position } = readCursor(name, cursor);
  if (count === undefined || count < 0 || count > maxCounted + 1) throw invalidRequest('cursor');
  return { ...position, counted: count };
}

function counted(count: number): MatchingCount {
  return { total: Math.min(count, maxCounted), totalIsMore: count > maxCounted };
}

function within({ since, until }: DayRange): RecordCondition {
  if (!since && !until) return {};
  return { createdAt: { ...(since ? { $gte: since } : {}), ...(until ? { $lt: until } : {}) } };
}

/** The records that contain the words. Long texts take time: other requests run in between. */
async function verified(found: RecordDocument[], words: SearchWords): Promise<RecordDocument[]> {
  const yieldToEventLoop = createYielder();
  const matched: RecordDocument[] = [];
  for (const record of found) {
    if (words.matches(record)) matched.push(record);
    await yieldToEventLoop();
  }
  return matched;
}

function positionOf({ createdAt, _id }: { createdAt: Date; _id: Types.ObjectId }): Position {
  return { at: createdAt, id: _id };
}
