import type { CompositionTranslate } from './composition-texts.ts';

/** Formats numbers and times in one language. */
export interface Formats {
  /** 今天 09:20, 7 月 14 日 18:06, with the year if it is not the current one. */
  when(at: string | Date): string;
  /** 09:20. */
  clock(at: string | Date): string;
  /** Label of a time axis: the time, or the day if steps are longer than some hours. */
  tick(at: string, isLong: boolean): string;
  count(value: number): string;
  /** 0.1%, from a rate of 0.001; more digits if it is smaller. */
  percent(rate: number): string;
  /** 1.4 KB. */
  bytes(size: number): string;
  /** 340 ms, 1.2 s. */
  duration(ms: number): string;
  /**
   * The current language's part of a reason stored in two languages, as for a halted canary; any other reason unchanged. Without final full
   * stop.
   */
  reason(text: string): string;
  /** Without a unit: 0.08. */
  score(value: number): string;
}

export function createFormats(
  locale: string,
  t: CompositionTranslate,
  now: () => Date = () => new Date(),
): Formats {
  const clocks = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const englishDays = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
  const numbers = new Intl.NumberFormat(locale);
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value);
  const clock = (at: string | Date) => clocks.format(new Date(at));
  const day = (date: Date) =>
    locale === 'en' ? englishDays.format(date) : `${date.getMonth() + 1} 月 ${date.getDate()} 日`;

  return {
    clock,
    when(at) {
      const date = new Date(at);
      const time = clock(date);
      const today = now();
      if (isSameDay(date, today)) return t('today', { time });
      if (isSameDay(date, new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)))
        return t('yesterday', { time });
      if (date.getFullYear() === today.getFullYear()) return `${day(date)} ${time}`;
      const year = date.getFullYear();
      return locale === 'en' ? `${day(date)}, ${year} ${time}` : `${year} 年 ${day(date)} ${time}`;
    },
    tick(at, isLong) {
      const date = new Date(at);
      return isLong ? `${date.getMonth() + 1}/${date.getDate()}` : clock(date);
    },
    count: (value) => numbers.format(value),
    percent: (rate) => `${number(rate * 100, rate > 0 && rate < 0.01 ? 2 : 1)}%`,
    bytes(size) {
      if (size < 1024) return `${numbers.format(size)} B`;
      return size < 1024 ** 2 ? `${number(size / 1024, 1)} KB` : `${number(size / 1024 ** 2, 1)} MB`;
    },
    duration: (ms) => (ms < 1000 ? `${number(ms, 0)} ms` : `${number(ms / 1000, 1)} s`),
    reason(text) {
      const both = /^(\S+)：(.*。)\s*(It.*)$/.exec(text);
      const own = both && (locale === 'en' ? `${both[1]}: ${both[3]}` : `${both[1]}：${both[2]}`);
      return (own ?? text).replace(/[.。]$/, '');
    },
    score: (value) => number(value, 2),
  };
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
