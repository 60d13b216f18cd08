import { createHash } from 'node:crypto';
import type { Types } from 'mongoose';
import type { RecordFilter } from '../../contract/search.ts';
import { invalidRequest } from '../../errors/errors.ts';
import { cutPage, type PageRequest, type Position, readCursor, writeCursor } from '../../store/cursor.ts';
import { createYielder } from '../../store/yield-to-event-loop.ts';
import { type DayRange, dayRange } from '../../text/day-range.ts';
import type { Contacts } from '../contacts.ts';
import { type HiddenRecords, inRange, type RecordCondition } from '../hidden-records.ts';
import type { RecordDocument, RecordModel } from '../record.ts';
import { contactTerm, feedbackTerm, outcomeTerm, sourceTerm } from './record-terms.ts';
import { readWords, type SearchWords } from './search-words.ts';

/** Counting stops here; a larger total is reported as "more". */
const maxCounted = 10_000;
/**
 * Records that a page reads at most if the index alone cannot tell which ones match: with several terms, of which an
 * index of an array can bound only one, with texts to compare, and during a deletion.
 */
export const maxExamined = 2000;

export type MatchingRecords = ReturnType<typeof createMatchingRecords>;

/** `total` is exact unless `totalIsMore`. */
export interface MatchingCount {
  total: number;
  totalIsMore: boolean;
}

export interface MatchingPage extends MatchingCount {
  records: RecordDocument[];
  nextCursor: string | null;
}

/** Records per read. */
const slice = 500;
/** Records of the first read if they are compared with the text. */
const verifiedSlice = 250;
/** Units of texts per further read. */
const verifiedUnits = 4_000_000;
const verifiedFields = { question: 1, answer: 1, createdAt: 1 } as const;
const placeFields = { createdAt: 1 } as const;
type Projection = Record<string, 1> | null;
/** Limits for counting the index entries of each term, until one has fewer: it is the rarest. */
const rarityLimits = [100, maxExamined];
/** Every record has one of these terms; the most frequent ones first. */
const everySource = (['document', 'model', 'none', 'curated', 'person'] as const).map(sourceTerm);

/** No record has it: a text without letters or digits finds nothing. */
const noTerm = '=none';

/** The end of a page, and the total of the first page. */
type CountedPosition = Position & MatchingCount;

/** A filter translated for the store. */
interface Wanted {
  owner: string;
  words: SearchWords | null;
  /** The rarest first: on MongoDB it bounds the index entries that are read. */
  terms: string[];
  days: DayRange;
  notHidden: RecordCondition;
  /** Every index entry of the only term, or of the owner, is a match. */
  isExact: boolean;
  /** Whether the rarest term has fewer than `maxExamined` entries. */
  isRare: boolean;
  /** Identifies the filter: a cursor is only valid for the same name. */
  name: string;
}

/** The index entries after one position, up to and including another; null is the end of the filter's. */
interface Stretch {
  after: Position | null;
  last: Position | null;
}

/**
 * The owner's records that a filter finds, newest first by (createdAt, id), never deleted or hidden ones. Every
 * query uses an index: that of the rarest required term, or of the date. All methods throw ambiguous_contact for an
 * ambiguous name.
 */
export function createMatchingRecords(deps: {
  records: RecordModel;
  contacts: Contacts;
  hidden: HiddenRecords;
}) {
  const { records, contacts, hidden } = deps;

  async function read(owner: string, filter: RecordFilter): Promise<Wanted> {
    const { text = '', contact, from, to, tz = 'UTC', source, outcome, feedback } = filter;
    const words = readWords(text);
    const contactId = contact === undefined ? null : await contacts.idOf(owner, contact);
    const facets = [
      ...(contactId === null ? [] : [contactTerm(contactId)]),
      ...(source ? [sourceTerm(source)] : []),
      ...(outcome ? [outcomeTerm(outcome)] : []),
      ...(feedback ? [feedbackTerm(feedback)] : []),
    ];
    const days = dayRange(from, to, tz);
    const name = JSON.stringify([words?.key ?? text.trim(), facets, days.since, days.until]);
    const all = [...facets, ...(words?.terms ?? (text.trim() === '' ? [] : [noTerm]))];
    const [{ terms, isRare }, notHidden] = await Promise.all([
      rarestFirst(owner, all, days),
      hidden.notHidden(owner),
    ]);
    const isExact = !words?.isLoose && terms.length <= 1 && Object.keys(notHidden).length === 0;
    const hash = createHash('sha256').update(name).digest('base64url').slice(0, 22);
    return { owner, words, terms, days, notHidden, isExact, isRare, name: `search ${hash}` };
  }

  /** Counts index entries only. Without `erasedBy`: deleted records have no terms, and the index does not contain the field. */
  const countEntries = (owner: string, term: string, days: DayRange, limit: number) =>
    records.countDocuments({ owner, terms: { $all: [term] }, ...inRange(days) }, { limit });

  /** `isRare`: the rarest one has fewer than `maxExamined` entries. Otherwise it is the one whose newest entries go back furthest. */
  async function rarestFirst(owner: string, terms: string[], days: DayRange) {
    if (terms.length < 2) return { terms, isRare: false };
    const withLeast = (amounts: number[], isRare: boolean) => {
      const rarest = amounts.indexOf(Math.min(...amounts));
      return { terms: [terms[rarest]!, ...terms.filter((_, at) => at !== rarest)], isRare };
    };
    for (const limit of rarityLimits) {
      const counts = await Promise.all(terms.map((term) => countEntries(owner, term, days, limit)));
      if (counts.some((count) => count < limit)) return withLeast(counts, true);
    }
    const ends = await Promise.all(
      terms.map((term) => endOf({ owner, terms: term, ...inRange(days) }, maxExamined)),
    );
    return withLeast(
      ends.map((end) => end?.createdAt.getTime() ?? 0),
      false,
    );
  }

  /** The last one of the newest `count` index entries; null if there are fewer. */
  const endOf = (entries: RecordCondition, count: number) =>
    records
      .findOne(entries, placeFields)
      .sort({ createdAt: -1, _id: -1 })
      .skip(count - 1)
      .lean();

  /** The part of the filter that the index covers. Deleted records have no terms. */
  const indexed = ({ owner, terms, notHidden }: Wanted): RecordCondition => ({
    owner,
    ...(terms.length > 0 ? { terms: { $all: terms } } : { erasedBy: null }),
    ...notHidden,
  });

  /**
   * The next `examined` index entries after `after`; all of them if only matches are read anyway. Reads only the
   * index, on MongoDB as well: an index of an array covers its other fields.
   */
  async function stretchAfter(
    wanted: Wanted,
    after: Position | null,
    examined = maxExamined,
  ): Promise<Stretch> {
    const { owner, terms, days, isExact, isRare } = wanted;
    if (isExact || isRare) return { after, last: null };
    const bound = terms.length > 0 ? { terms: terms[0] } : { erasedBy: null };
    const entries: RecordCondition = { owner, ...bound };
    const ends = await Promise.all(
      rangesOf(days, { after, last: null }).map((range) => endOf({ ...entries, ...range }, examined)),
    );
    const last = ends.find((end) => end !== null);
    return { after, last: last ? positionOf(last) : null };
  }

  /**
   * Up to `size` candidates of a stretch that match the indexed part of the filter. Every condition is a contiguous index
   * range, so that no unwanted entry is read.
   */
  async function candidates(wanted: Wanted, stretch: Stretch, size: number, projection: Projection) {
    const condition = indexed(wanted);
    const found = await Promise.all(
      rangesOf(wanted.days, stretch).map((range) =>
        records
          .find({ ...condition, ...range }, projection)
          .sort({ createdAt: -1, _id: -1 })
          .limit(size)
          .batchSize(size)
          .lean<RecordDocument[]>(),
      ),
    );
    return found.flat().slice(0, size);
  }

  /** The matches of a stretch, in slices of `size`; with `isAll`, further ones may be larger. Texts are compared while the next slice is read. */
  async function* matchesIn(
    wanted: Wanted,
    stretch: Stretch,
    size: number,
    projection: Projection,
    isAll = false,
  ) {
    const { words } = wanted;
    let most = size;
    const read = (after: Position | null) => candidates(wanted, { ...stretch, after }, most, projection);
    for (let next: ReturnType<typeof read> | null = read(stretch.after); next; ) {
      const found: RecordDocument[] = await next;
      const last = found.length < most ? undefined : found.at(-1);
      if (isAll && words?.isLoose && last) most = fittingSlice(found);
      const readOn = () => (last ? read(positionOf(last)) : null);
      next = words?.isLoose ? readOn() : null;
      // The error is thrown where it is awaited.
      next?.catch(() => {});
      yield words?.isLoose ? await verified(found, words) : found;
      next ??= readOn();
    }
  }

  /** Stretch by stretch, so that the time of each query is limited. */
  async function* stretches(wanted: Wanted): AsyncGenerator<Stretch> {
    for (let after: Position | null = null; ; ) {
      const stretch = await stretchAfter(wanted, after);
      yield stretch;
      if (!stretch.last) return;
      after = stretch.last;
    }
  }

  /** Reads index entries only, one term after the other: mostly the first one has more than are counted. */
  async function countByTerms({ owner, terms, days }: Wanted): Promise<number> {
    let count = 0;
    for (const term of terms.length > 0 ? terms : everySource) {
      count += await countEntries(owner, term, days, maxCounted + 1 - count);
      if (count > maxCounted) break;
    }
    return count;
  }

  /** How many of a stretch have the terms. */
  async function countIn(wanted: Wanted, stretch: Stretch): Promise<number> {
    if (wanted.isExact) return countByTerms(wanted);
    const condition = indexed(wanted);
    const counts = await Promise.all(
      rangesOf(wanted.days, stretch).map((range) => records.countDocuments({ ...condition, ...range })),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Matches for a page, and their number in the stretch if `isCounted`: texts are compared once. */
  async function compare(wanted: Wanted, stretch: Stretch, limit: number, isCounted: boolean) {
    const places: Position[] = [];
    let count = 0;
    for await (const found of matchesIn(wanted, stretch, verifiedSlice, verifiedFields, isCounted)) {
      count += found.length;
      places.push(...found.slice(0, limit + 1 - places.length).map(positionOf));
      if (!isCounted && count > limit) break;
    }
    return { places, count };
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

  return {
    /**
     * The total is determined with the first page and stored in its cursor, so that later pages need not count
     * again. A page that ends after `maxExamined` records has a cursor even if it is not full or empty; its total is then
     * what was found so far.
     * @throws invalidRequest('cursor') for a cursor of another filter.
     */
    async page(owner: string, filter: RecordFilter, { limit, cursor }: PageRequest): Promise<MatchingPage> {
      const wanted = await read(owner, filter);
      const from = cursor === undefined ? null : countedPosition(wanted.name, cursor);
      const stretch = await stretchAfter(wanted, from);
      const { last } = stretch;
      const pageOf = <T extends Position | RecordDocument>(found: T[], count: number) => {
        const total = from ?? counted(count, last !== null);
        const cursorAt = (place: Position) => writeCursor(wanted.name, { ...place, counted: encoded(total) });
        const endOf = (end: T) => cursorAt('at' in end ? end : positionOf(end));
        const { page, nextCursor } = cutPage(found, limit, endOf);
        return { page, nextCursor: nextCursor ?? (last && cursorAt(last)), total };
      };
      if (wanted.words?.isLoose) {
        const { places, count } = await compare(wanted, stretch, limit, from === null);
        const { page, nextCursor, total } = pageOf(places, count);
        return { records: await recordsAt(owner, page), nextCursor, ...totalOf(total) };
      }
      const [found, count] = await Promise.all([
        candidates(wanted, stretch, limit + 1, null),
        from ? 0 : countIn(wanted, stretch),
      ]);
      const { page, nextCursor, total } = pageOf(found, count);
      return { records: page, nextCursor, ...totalOf(total) };
    },

    async count(owner: string, filter: RecordFilter): Promise<MatchingCount> {
      const wanted = await read(owner, filter);
      let count = 0;
      for await (const stretch of stretches(wanted)) {
        count += wanted.words?.isLoose
          ? (await compare(wanted, stretch, 0, true)).count
          : await countIn(wanted, stretch);
        if (count > maxCounted) break;
      }
      return counted(count);
    },

    /** All matches, in slices that let other requests run in between; only `fields` unless null. */
    async *each<F extends keyof RecordDocument>(
      owner: string,
      filter: RecordFilter,
      fields: readonly F[] | null,
    ): AsyncIterable<Pick<RecordDocument, F | '_id'>[]> {
      const wanted = await read(owner, filter);
      for await (const stretch of stretches(wanted))
        for await (const found of matchesIn(wanted, stretch, slice, projectionOf(wanted, fields)))
          if (found.length > 0) yield found as Pick<RecordDocument, F | '_id'>[];
    },

    /** Visits the matches among the newest `most` index entries of the rarest term. Resolves to whether there are further entries. */
    async newest<F extends keyof RecordDocument>(
      owner: string,
      filter: RecordFilter,
      fields: readonly F[],
      most: number,
      visit: (record: Pick<RecordDocument, F | '_id'>) => void,
    ): Promise<boolean> {
      const wanted = await read(owner, filter);
      const stretch = await stretchAfter(wanted, null, most);
      let left = most;
      for await (const found of matchesIn(wanted, stretch, slice, projectionOf(wanted, fields), true)) {
        for (const record of found.slice(0, left)) visit(record);
        left -= found.length;
        if (left < 0) break;
      }
      return stretch.last !== null || left < 0;
    },
  };
}

/** Includes what the place and the comparison of a record need. */
function projectionOf({ words }: Wanted, fields: readonly string[] | null): Projection {
  const compared = words?.isLoose ? ['question', 'answer'] : [];
  return fields && Object.fromEntries([...fields, 'createdAt', ...compared].map((field) => [field, 1]));
}

/** Contiguous ranges of the index, newest first: ties with the ends of the stretch are ranges of their own. */
function rangesOf(days: DayRange, { after, last }: Stretch): RecordCondition[] {
  const { since } = days;
  const until = after && (!days.until || after.at < days.until) ? after.at : days.until;
  const isTied = after !== null && until === after.at && (!since || since <= after.at);
  if (!last) {
    const older = inRange({ since, until });
    return isTied ? [{ createdAt: after.at, _id: { $lt: after.id } }, older] : [older];
  }
  if (isTied && last.at.getTime() === after.at.getTime())
    return [{ createdAt: after.at, _id: { $lt: after.id, $gte: last.id } }];
  return [
    ...(isTied ? [{ createdAt: after.at, _id: { $lt: after.id } }] : []),
    { createdAt: { $gt: last.at, ...(until ? { $lt: until } : {}) } },
    { createdAt: last.at, _id: { $gte: last.id } },
  ];
}

/** @throws invalidRequest('cursor') also for a total that no first page could have returned. */
function countedPosition(name: string, cursor: string): CountedPosition {
  const { counted: count, ...position } = readCursor(name, cursor);
  if (count === undefined) throw invalidRequest('cursor');
  const totalIsMore = count < 0;
  const total = totalIsMore ? -2 - count : count;
  if (total < 0 || total > maxCounted) throw invalidRequest('cursor');
  return { ...position, total, totalIsMore };
}

/** A total in one number, for the cursor. */
const encoded = ({ total, totalIsMore }: MatchingCount) => (totalIsMore ? -2 - total : total);

const totalOf = ({ total, totalIsMore }: MatchingCount): MatchingCount => ({ total, totalIsMore });

function counted(count: number, isPart = false): MatchingCount {
  return { total: Math.min(count, maxCounted), totalIsMore: isPart || count > maxCounted };
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

/** How many records like these are read together. */
function fittingSlice(found: RecordDocument[]): number {
  const units = found.reduce((sum, { question, answer }) => sum + question.length + answer.length, 1);
  const fitting = Math.floor((found.length * verifiedUnits) / units);
  return Math.max(verifiedSlice, Math.min(maxExamined, fitting));
}

function positionOf({ createdAt, _id }: { createdAt: Date; _id: Types.ObjectId }): Position {
  return { at: createdAt, id: _id };
}
