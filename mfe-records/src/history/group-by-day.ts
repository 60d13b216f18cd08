import { dayKey } from '../calendar.ts';

export interface Day {
  /** YYYY-MM-DD, local. */
  key: string;
  date: Date;
  /** Positions of its records in the list: `first` to `last`, both inclusive. */
  first: number;
  last: number;
}

/** Groups adjacent records by local day, in the given order. */
export function groupByDay(records: readonly { createdAt: string }[]): Day[] {
  const days: Day[] = [];
  records.forEach(({ createdAt }, index) => {
    const date = new Date(createdAt);
    const key = dayKey(date);
    const day = days.at(-1);
    if (day?.key === key) day.last = index;
    else days.push({ key, date, first: index, last: index });
  });
  return days;
}
