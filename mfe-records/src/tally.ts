import type { AnswerSource, DeskRecord } from 'api/contract';
import { dayKey } from './calendar.ts';

export interface DayCount {
  /** YYYY-MM-DD, local. */
  key: string;
  date: Date;
  count: number;
  unanswered: number;
}

export interface ContactCount {
  /** '' is the visitor. */
  id: string;
  name: string;
  count: number;
}

/** What a report says of some records. Counts are records; `medianMs` is null when none has been answered. */
export interface Tally {
  total: number;
  answered: number;
  unanswered: number;
  /** Part of `unanswered`: answers that broke off. */
  failed: number;
  /** Still being answered; in no other count. */
  answering: number;
  medianMs: number | null;
  bySource: Record<AnswerSource, number>;
  /** Every day from the first to the last, the empty ones too, oldest first. */
  byDay: DayCount[];
  /** Most questions first. */
  byContact: ContactCount[];
}

/**
 * Counts records. A record is answered when it has a source and did not break off; whatever else is finished is unanswered and
 * counts under source `none`, so that the sources add up to the total.
 */
export function tally(records: DeskRecord[]): Tally {
  const bySource: Record<AnswerSource, number> = { curated: 0, document: 0, model: 0, none: 0 };
  const days = new Map<string, DayCount>();
  const contacts = new Map<string, ContactCount>();
  const times: number[] = [];
  let failed = 0;
  const finished = records.filter(({ status }) => status !== 'answering');

  for (const record of finished) {
    const source = record.status === 'failed' ? 'none' : record.source;
    bySource[source] += 1;
    if (record.status === 'failed') failed += 1;
    addDay(days, new Date(record.createdAt), source === 'none');
    addContact(contacts, record);
    if (source !== 'none' && record.answeredAt)
      times.push(new Date(record.answeredAt).valueOf() - new Date(record.createdAt).valueOf());
  }
  return {
    total: finished.length,
    answered: finished.length - bySource.none,
    unanswered: bySource.none,
    failed,
    answering: records.length - finished.length,
    medianMs: median(times),
    bySource,
    byDay: withEmptyDays(days),
    byContact: [...contacts.values()].sort((a, b) => b.count - a.count || a.id.localeCompare(b.id)),
  };
}

function addDay(days: Map<string, DayCount>, date: Date, isUnanswered: boolean) {
  const key = dayKey(date);
  const day = days.get(key) ?? { key, date: midday(date), count: 0, unanswered: 0 };
  days.set(key, day);
  day.count += 1;
  if (isUnanswered) day.unanswered += 1;
}

function addContact(contacts: Map<string, ContactCount>, { contact }: DeskRecord) {
  const id = contact?.id ?? '';
  const known = contacts.get(id) ?? { id, name: contact?.name || id, count: 0 };
  contacts.set(id, known);
  known.count += 1;
}

function withEmptyDays(days: Map<string, DayCount>): DayCount[] {
  const keys = [...days.keys()].sort();
  const first = days.get(keys[0] ?? '');
  const last = keys.at(-1);
  if (!first || !last) return [];
  const all: DayCount[] = [];
  for (let date = first.date; dayKey(date) <= last; date = nextDay(date)) {
    const key = dayKey(date);
    all.push(days.get(key) ?? { key, date, count: 0, unanswered: 0 });
  }
  return all;
}

/** Noon is on the same day whatever daylight saving does. */
function midday(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12);
}

function nextDay(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 12);
}

function median(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
