import type { Contact, RecordFilter, RecordStats } from '../contract.ts';
import type { RecordDocument } from '../models/record.ts';
import { type DayRange, dayOf, dayRange } from './day-range.ts';
import type { MatchingRecords } from './matching-records.ts';

export interface Stats {
  /** Counts exactly what a search for `filter` finds. @throws ambiguousContact, invalidRequest('text') as it does. */
  of(owner: string, filter: RecordFilter): Promise<RecordStats>;
}

const fields = ['createdAt', 'answeredAt', 'source', 'contact', 'feedback'] as const;
type Counted = Pick<RecordDocument, (typeof fields)[number]>;

/** Counts the records that a filter finds, slice by slice, so that other calls are answered in between. */
export function createStats(matching: MatchingRecords): Stats {
  return {
    async of(owner, filter) {
      const tally = createTally(filter.tz ?? 'UTC');
      for await (const slice of matching.each(owner, filter, fields)) slice.forEach(tally.add);
      return tally.result();
    },
  };
}

/** Takes in records, newest first. */
function createTally(tz: string): { add(record: Counted): void; result(): RecordStats } {
  const bySource = { curated: 0, document: 0, model: 0, none: 0 };
  const satisfaction = { up: 0, down: 0 };
  const byContact = new Map<string, { contact: Contact | null; count: number }>();
  const byDay = new Map<string, number>();
  const times: number[] = [];
  const dayIn = createDayReader(tz);
  let total = 0;

  return {
    add({ createdAt, answeredAt, source, contact, feedback }) {
      total += 1;
      bySource[source] += 1;
      if (feedback) satisfaction[feedback.rating === 1 ? 'up' : 'down'] += 1;
      if (answeredAt && source !== 'none') times.push(answeredAt.getTime() - createdAt.getTime());
      const day = dayIn(createdAt);
      byDay.set(day, (byDay.get(day) ?? 0) + 1);
      const id = contact?.id ?? '';
      const same = byContact.get(id);
      if (same) same.count += 1;
      else byContact.set(id, { contact: contact && { id: contact.id, name: contact.name }, count: 1 });
    },
    result: () => ({
      total,
      answered: total - bySource.none,
      unanswered: bySource.none,
      bySource,
      byDay: [...byDay].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? -1 : 1)),
      byContact: [...byContact.values()].sort((a, b) => b.count - a.count || byId(a.contact, b.contact)),
      satisfaction,
      medianMs: medianOf(times),
    }),
  };
}

/** Tells days as `dayOf` does, at once for an instant of the same day as the one before. */
function createDayReader(tz: string): (instant: Date) => string {
  let day = '';
  let range: DayRange = { since: null, until: null };
  return (instant) => {
    if (range.since && range.until && instant >= range.since && instant < range.until) return day;
    day = dayOf(instant, tz);
    range = dayRange(day, day, tz);
    return day;
  };
}

/** Oneself first. */
function byId(a: Contact | null, b: Contact | null): number {
  return (a?.id ?? '') < (b?.id ?? '') ? -1 : 1;
}

function medianOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >>> 1;
  const upper = sorted[middle]!;
  return sorted.length % 2 === 1 ? upper : Math.round((sorted[middle - 1]! + upper) / 2);
}
