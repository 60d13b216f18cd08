import { localDate } from 'host/ui/local-day.ts';
import type { Day } from './days.ts';

/** Formats days and ranges: 7 月 15 日, or Jul 15; with the year if it is not that of `today`. */
export interface DayFormat {
  day(day: Day): string;
  /** 7 月, Jul; with the year if it is not the current one. */
  month(day: Day): string;
  /** 7 月, Jul, without year. */
  monthName(day: Day): string;
  /** 7 月 1 日至 15 日, Jul 1–15; one end may be open (''). */
  range(from: Day, to: Day): string;
}

export function createDayFormat(locale: string, today: Day): DayFormat {
  const texts = locale.startsWith('zh') ? chinese : english(locale);
  const isThisYear = (day: Day) => day.slice(0, 4) === today.slice(0, 4);
  const day = (day: Day) => texts.day(partsOf(day), !isThisYear(day));
  const range = (from: Day, to: Day) => {
    if (!to) return texts.since(day(from));
    if (!from) return texts.until(day(to));
    if (from === to) return day(from);
    const [first, last] = [partsOf(from), partsOf(to)];
    const isSameYear = first.year === last.year;
    const hasYear = !isThisYear(from) || !isThisYear(to);
    return texts.range(first, last, {
      isSameYear,
      isSameMonth: isSameYear && first.month === last.month,
      hasYear,
    });
  };
  return {
    day,
    range,
    month: (day) => texts.month(partsOf(day), !isThisYear(day)),
    monthName: (day) => texts.month(partsOf(day), false),
  };
}

interface Parts {
  year: number;
  month: number;
  date: number;
  local: Date;
}

interface RangeFacts {
  isSameYear: boolean;
  isSameMonth: boolean;
  hasYear: boolean;
}

interface DayTexts {
  day(parts: Parts, hasYear: boolean): string;
  month(parts: Parts, hasYear: boolean): string;
  since(day: string): string;
  until(day: string): string;
  range(from: Parts, to: Parts, facts: RangeFacts): string;
}

const chinese: DayTexts = {
  day: ({ year, month, date }, hasYear) => `${hasYear ? `${year} 年 ` : ''}${month} 月 ${date} 日`,
  month: ({ year, month }, hasYear) => `${hasYear ? `${year} 年 ` : ''}${month} 月`,
  since: (day) => `${day}起`,
  until: (day) => `${day}止`,
  range: (from, to, { isSameYear, isSameMonth, hasYear }) => {
    const last = isSameMonth ? `${to.date} 日` : chinese.day(to, hasYear && !isSameYear);
    return `${chinese.day(from, hasYear)}至 ${last}`;
  },
};

function english(locale: string): DayTexts {
  const months = new Intl.DateTimeFormat(locale, { month: 'short' });
  const withYear = (text: string, { year }: Parts, hasYear: boolean) => (hasYear ? `${text}, ${year}` : text);
  const texts: DayTexts = {
    day: (parts, hasYear) => withYear(`${months.format(parts.local)} ${parts.date}`, parts, hasYear),
    month: (parts, hasYear) => `${months.format(parts.local)}${hasYear ? ` ${parts.year}` : ''}`,
    since: (day) => `From ${day}`,
    until: (day) => `Until ${day}`,
    range: (from, to, { isSameYear, isSameMonth, hasYear }) => {
      const first = texts.day(from, hasYear && !isSameYear);
      if (isSameMonth) return withYear(`${first}–${to.date}`, to, hasYear);
      return `${first} – ${texts.day(to, hasYear)}`;
    },
  };
  return texts;
}

function partsOf(day: Day): Parts {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, date, local: localDate(day) };
}
