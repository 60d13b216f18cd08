import type { DeskRecord } from 'api/contract';
import { dayKey } from './calendar.ts';

export interface Day {
  /** YYYY-MM-DD, local. */
  key: string;
  date: Date;
  records: DeskRecord[];
}

/** Neighbours of one local day, in the order in which they came. */
export function groupByDay(records: DeskRecord[]): Day[] {
  const days: Day[] = [];
  for (const record of records) {
    const date = new Date(record.createdAt);
    const key = dayKey(date);
    const last = days.at(-1);
    if (last?.key === key) last.records.push(record);
    else days.push({ key, date, records: [record] });
  }
  return days;
}
