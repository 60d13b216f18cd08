import type { PipelineStage } from 'mongoose';
import { outcomeOf } from '../../answers/judgement.ts';
import type { AnsweredBy, Outcome } from '../../contract/answers.ts';
import type { Contact } from '../../contract/records.ts';
import type { RecordFilter, RecordStats } from '../../contract/search.ts';
import { errorCode } from '../../store/error-code.ts';
import { type DayRange, dayOf, dayRange } from '../../text/day-range.ts';
import type { RecordDocument } from '../record.ts';
import type { MatchingRecords } from '../search/matching-records.ts';
import { answererOf } from '../search/record-terms.ts';
import { type AnswerKey, answerKey, quarterOfRecord } from './desk-days.ts';

export type Stats = ReturnType<typeof createStats>;

/**
 * The store groups the records. If texts must be compared with the words, the records are read and counted
 * here in slices.
 */
export function createStats(matching: Pick<MatchingRecords, 'aggregate' | 'each'>) {
  /** null if the store cannot group them. */
  async function inGroups(owner: string, filter: RecordFilter): Promise<Groups | null> {
    try {
      const found = await matching.aggregate<Groups>(owner, filter, grouping);
      return found?.[0] ?? null;
    } catch (cause) {
      if (tooLarge.has(errorCode(cause))) return null;
      throw cause;
    }
  }

  return {
    /** Counts exactly what a search for `filter` finds, and throws the same: ambiguous_contact. */
    async of(owner: string, filter: RecordFilter): Promise<RecordStats> {
      const groups = await inGroups(owner, filter);
      const tally = createTally(filter.tz ?? 'UTC');
      if (groups) addGroups(tally, groups);
      else for await (const slice of matching.each(owner, filter, fields)) slice.forEach(tally.add);
      return tally.result();
    },
  };
}

interface Groups {
  answers: {
    _id: AnswerKey;
    count: number;
  }[];
  quarters: { _id: Date; count: number }[];
  durations: { _id: number; count: number }[];
  contacts: { _id: string | null; count: number; last: { name: string } }[];
}

/**
 * MongoDB error codes for a result that is too large: all groups must fit into one document, which those of
 * several hundred thousand contacts do not.
 */
const tooLarge = new Set<unknown>([10_334, 17_419, 4_031_700]);

const count = { $sum: 1 };
const grouping: PipelineStage[] = [
  {
    $facet: {
      answers: [
        {
          $group: { _id: answerKey, count },
        },
      ],
      quarters: [{ $group: { _id: quarterOfRecord, count } }],
      contacts: [
        {
          $group: {
            _id: { $ifNull: ['$contact.id', null] },
            count,
            last: { $max: { at: '$createdAt', name: '$contact.name' } },
          },
        },
      ],
      durations: [
        { $match: { source: { $ne: 'none' }, answeredAt: { $ne: null } } },
        {
          $group: {
            _id: { $subtract: ['$answeredAt', { $ifNull: ['$answerStartedAt', '$createdAt'] }] },
            count,
          },
        },
      ],
    },
  },
];
const fields = [
  'createdAt',
  'answerStartedAt',
  'answeredAt',
  'source',
  'outcome',
  'answeredByPerson',
  'contact',
  'feedback',
] as const;
type Counted = Pick<RecordDocument, (typeof fields)[number]>;

function addGroups(tally: Tally, { answers, quarters, durations, contacts }: Groups): void {
  for (const { _id, count, last } of contacts)
    tally.addContact(_id === null ? null : { id: _id, name: last.name }, count);
  for (const { _id, count } of answers)
    tally.addAnswers(_id.isByPerson ? 'person' : _id.source, outcomeOf(_id), _id.rating, count);
  for (const { _id, count } of quarters) tally.addAsked(_id, count);
  for (const { _id, count } of durations) tally.addDuration(_id, count);
}

type Tally = ReturnType<typeof createTally>;

/** Accumulates counts. Of several names of a contact the first one stays. */
export function createTally(tz: string) {
  const bySource = { curated: 0, document: 0, model: 0, person: 0, none: 0 };
  const byOutcome = { answered: 0, related: 0, nothing: 0 };
  const satisfaction = { up: 0, down: 0 };
  const byContact = new Map<string, { contact: Contact | null; count: number }>();
  const byDay = new Map<string, number>();
  const durations = new Map<number, number>();
  const dayIn = createDayReader(tz);
  const addCount = <K>(counts: Map<K, number>, key: K, more: number) =>
    void counts.set(key, (counts.get(key) ?? 0) + more);

  const tally = {
    add(record: Counted) {
      const { createdAt, answerStartedAt, answeredAt, source, contact, feedback } = record;
      tally.addAnswers(answererOf(record), outcomeOf(record), feedback?.rating, 1);
      tally.addAsked(createdAt, 1);
      tally.addContact(contact && { id: contact.id, name: contact.name }, 1);
      if (answeredAt && source !== 'none')
        tally.addDuration(answeredAt.getTime() - (answerStartedAt ?? createdAt).getTime(), 1);
    },
    addAnswers(answerer: AnsweredBy, outcome: Outcome, rating: number | null | undefined, more: number) {
      bySource[answerer] += more;
      byOutcome[answerer === 'person' ? 'answered' : outcome] += more;
      if (rating) satisfaction[rating === 1 ? 'up' : 'down'] += more;
    },
    addAsked: (at: Date, more: number) => addCount(byDay, dayIn(at), more),
    addDuration: (ms: number, more: number) => addCount(durations, Math.max(0, ms), more),
    addContact(contact: Contact | null, more: number) {
      const id = contact?.id ?? '';
      const same = byContact.get(id);
      if (same) same.count += more;
      else byContact.set(id, { contact, count: more });
    },
    result(): RecordStats {
      const total = Object.values(bySource).reduce((sum, some) => sum + some, 0);
      return {
        total,
        answered: total - bySource.none,
        unanswered: bySource.none,
        bySource,
        byOutcome,
        byDay: [...byDay]
          .map(([day, some]) => ({ day, count: some }))
          .sort((a, b) => (a.day < b.day ? -1 : 1)),
        byContact: [...byContact.values()].sort((a, b) => b.count - a.count || byId(a.contact, b.contact)),
        satisfaction,
        medianMs: medianOf(durations),
      };
    },
  };
  return tally;
}

/** Like `dayOf`, but cached for consecutive instants of the same day. */
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

/** The owner first. */
function byId(a: Contact | null, b: Contact | null): number {
  return (a?.id ?? '') < (b?.id ?? '') ? -1 : 1;
}

/** `counts` maps each number to its frequency. */
function medianOf(counts: ReadonlyMap<number, number>): number | null {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, some]) => sum + some, 0);
  if (total === 0) return null;
  const at = (place: number) => {
    let seen = 0;
    for (const [number, some] of sorted) {
      seen += some;
      if (seen > place) return number;
    }
    return 0;
  };
  const upper = at(Math.floor(total / 2));
  return total % 2 === 1 ? upper : Math.round((at(total / 2 - 1) + upper) / 2);
}
