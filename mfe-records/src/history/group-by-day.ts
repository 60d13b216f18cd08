import { dayKey } from '../calendar.ts';

export interface Day {
  /** YYYY-MM-DD, local. */
  key: string;
  date: Date;
  /** The places of its records in the list: `first` to `last`, both inclusive. */
  first: number;
  last: number;
}

/** Neighbours of one local day, in the order in which they came. */
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
