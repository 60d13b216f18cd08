import type { Contact } from '../../contract/records.ts';
import type { RecordFilter, RecordStats } from '../../contract/search.ts';
import { createDayReader, type DayRange, dayRange } from '../../text/day-range.ts';
import type { Contacts } from '../contacts.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import { countedFields } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import {
  type CountedRecord,
  contactKey,
  durationOf,
  kindOf,
  kinds,
  quarterMs,
  quartersOfDay,
  readEntries,
} from './counted-day.ts';
import type { CountedDays, ReadDay } from './counted-days.ts';

/** Index entries of the rarest word of which statistics of words count the matches: as many as a PDF has records at most. */
const maxOfWords = 5000;

export type Stats = ReturnType<typeof createStats>;

/**
 * Statistics are summed from counted days. For words, while a deletion is running, and while many changed records are not
 * counted, the matching records are read instead.
 */
export function createStats(deps: {
  models: Pick<RecordModels, 'contacts'>;
  contacts: Pick<Contacts, 'idOf'>;
  hidden: Pick<HiddenRecords, 'notHidden'>;
  matching: Pick<MatchingRecords, 'each' | 'newest'>;
  countedDays: Pick<CountedDays, 'read'>;
  /** Has changed records counted. */
  countSoon(): Promise<void>;
}) {
  const { models, contacts, hidden, matching, countedDays } = deps;

  /** null if the days cannot tell. */
  async function sumOfDays(owner: string, filter: RecordFilter): Promise<RecordStats | null> {
    if (filter.text?.trim()) return null;
    const { contact, from, to, tz = 'UTC' } = filter;
    const range = dayRange(from, to, tz);
    // Asked first: days that are read while a deletion ends still count what it hid.
    const [id, notHidden] = await Promise.all([
      contact === undefined ? null : contacts.idOf(owner, contact),
      hidden.notHidden(owner),
    ]);
    if (Object.keys(notHidden).length > 0) return null;
    const [days, named] = await Promise.all([
      countedDays.read(owner, range),
      models.contacts
        .find({ owner, ...(id === null ? {} : { contactId: id }) }, { contactId: 1, name: 1, _id: 0 })
        .lean(),
    ]);
    if (!days) {
      await deps.countSoon();
      return null;
    }
    const byKey = new Map<number, Contact | null>([[0, null]]);
    for (const { contactId, name } of named) byKey.set(contactKey(contactId), { id: contactId, name });
    const tally = createTally(tz);
    for (const [key, { count }] of addDays(tally, days, filter, range, id)) {
      const known = byKey.get(key);
      // It changes at this moment.
      if (known === undefined) return null;
      tally.addContact(known, count);
    }
    return tally.result();
  }

  return {
    /**
     * Counts what a search for `filter` finds, and throws the same: ambiguous_contact. Of words it counts the newest records, unless
     * `isWhole`: see `maxOfWords`.
     */
    async of(owner: string, filter: RecordFilter, isWhole = !filter.text?.trim()): Promise<RecordStats> {
      const sum = await sumOfDays(owner, filter);
      if (sum) return sum;
      const tally = createTally(filter.tz ?? 'UTC');
      if (!isWhole) {
        const isMore = await matching.newest(owner, filter, countedFields, maxOfWords, tally.add);
        return { ...tally.result(), ...(isMore && { totalIsMore: true }) };
      }
      for await (const slice of matching.each(owner, filter, countedFields))
        for (const record of slice) tally.add(record);
      return tally.result();
    },
  };
}

/** Adds what matches the filter. `contact` is its contact's id; null is any. Returns the counts of contacts. */
function addDays(
  tally: Tally,
  days: readonly ReadDay[],
  { source, outcome, feedback }: RecordFilter,
  { since, until }: DayRange,
  contact: string | null,
): Map<number, { count: number }> {
  const isWanted = kinds.map(
    (kind) =>
      (!source || kind.answerer === source) &&
      (!outcome || kind.outcome === outcome) &&
      (!feedback || kind.rating === feedback),
  );
  const wantedContact = contact === null ? null : contactKey(contact);
  const byKind = new Uint32Array(kinds.length);
  const byContact = new Map<number, { count: number }>();
  for (const { day, entries } of days) {
    const start = Date.parse(day);
    const from = since ? (since.getTime() - start) / quarterMs : 0;
    const to = until ? (until.getTime() - start) / quarterMs : quartersOfDay;
    const byQuarter = new Uint32Array(quartersOfDay);
    // Entries of one contact follow each other.
    let lastKey = Number.NaN;
    let ofLast = { count: 0 };
    readEntries(entries, (quarter, kind, key, duration) => {
      if (!isWanted[kind] || quarter < from || quarter >= to) return;
      if (wantedContact !== null && key !== wantedContact) return;
      if (key !== lastKey) {
        lastKey = key;
        ofLast = byContact.get(key) ?? { count: 0 };
        byContact.set(key, ofLast);
      }
      ofLast.count += 1;
      byQuarter[quarter]! += 1;
      byKind[kind]! += 1;
      if (duration !== null) tally.addDuration(duration);
    });
    byQuarter.forEach((count, quarter) => {
      if (count > 0) tally.addAsked(start + quarter * quarterMs, count);
    });
  }
  byKind.forEach(tally.addKind);
  return byContact;
}

type Tally = ReturnType<typeof createTally>;

/** Accumulates counts. Of several names of a contact the first one stays. */
export function createTally(tz: string) {
  const bySource = { curated: 0, document: 0, model: 0, person: 0, none: 0 };
  const byOutcome = { answered: 0, related: 0, nothing: 0 };
  const byRating = { up: 0, down: 0, none: 0 };
  const byContact = new Map<string, { contact: Contact | null; count: number }>();
  const byDay = new Map<string, number>();
  const durations = createMedian();
  const dayIn = createDayReader(tz);

  const tally = {
    add(record: CountedRecord) {
      const { createdAt, contact } = record;
      const duration = durationOf(record);
      tally.addKind(1, kindOf(record));
      tally.addAsked(createdAt.getTime(), 1);
      tally.addContact(contact && { id: contact.id, name: contact.name }, 1);
      if (duration !== null) tally.addDuration(duration);
    },
    /** `kind` is an index in `kinds`. */
    addKind(count: number, kind: number) {
      const { answerer, outcome, rating } = kinds[kind]!;
      bySource[answerer] += count;
      byOutcome[outcome] += count;
      byRating[rating] += count;
    },
    /** `at` in ms. */
    addAsked(at: number, count: number) {
      const day = dayIn(at);
      byDay.set(day, (byDay.get(day) ?? 0) + count);
    },
    addDuration: durations.add,
    addContact(contact: Contact | null, count: number) {
      const id = contact?.id ?? '';
      const same = byContact.get(id);
      if (same) same.count += count;
      else byContact.set(id, { contact, count });
    },
    result(): RecordStats {
      const total = Object.values(bySource).reduce((sum, some) => sum + some, 0);
      return {
        total,
        answered: total - bySource.none,
        unanswered: bySource.none,
        bySource,
        byOutcome,
        byDay: [...byDay].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1)),
        byContact: [...byContact.values()].sort((a, b) => b.count - a.count || byId(a.contact, b.contact)),
        satisfaction: { up: byRating.up, down: byRating.down },
        medianMs: durations.median(),
      };
    },
  };
  return tally;
}

/** The owner first. */
function byId(a: Contact | null, b: Contact | null): number {
  return (a?.id ?? '') < (b?.id ?? '') ? -1 : 1;
}

/** Values below this are counted in an array, in which counting is several times as fast as in a map. */
const denseMs = 2 ** 16;

/** The median of integers that are not negative. Far fewer differ than there are, which would take longer to sort. */
function createMedian() {
  const dense = new Uint32Array(denseMs);
  const sparse = new Map<number, number>();
  let total = 0;
  return {
    add(value: number) {
      total += 1;
      if (value < denseMs) dense[value]! += 1;
      else sparse.set(value, (sparse.get(value) ?? 0) + 1);
    },
    median(): number | null {
      if (total === 0) return null;
      const large = [...sparse].sort(([a], [b]) => a - b);
      const valueAt = (rank: number) => {
        let left = rank;
        for (let value = 0; value < denseMs; value++) {
          if (left < dense[value]!) return value;
          left -= dense[value]!;
        }
        for (const [value, count] of large) {
          if (left < count) return value;
          left -= count;
        }
        return 0;
      };
      return Math.round((valueAt(Math.floor((total - 1) / 2)) + valueAt(Math.floor(total / 2))) / 2);
    },
  };
}
