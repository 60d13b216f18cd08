import type { Language } from 'api/contract/language';
import { CLOCK, formatDate, formatDay } from 'host/ui/format-date.ts';
import { inLanguage } from '../i18n/create-i18n.ts';
import type { CompositionTranslate } from './composition-texts.ts';

export type Formats = ReturnType<typeof createFormats>;

export function createFormats(language: Language, t: CompositionTranslate) {
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  /** A time of day, such as 09:20. */
  const clock = (at: string | Date): string => formatDate(new Date(at), language, CLOCK);

  return {
    clock,
    /** A time with its day, such as 今天 09:20 or 7 月 14 日 18:06, with the year if it is not the current one. */
    when(at: string | Date): string {
      const date = new Date(at);
      const time = clock(date);
      const today = new Date();
      const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
      if (date.toDateString() === today.toDateString()) return t('today', { time });
      if (date.toDateString() === yesterday.toDateString()) return t('yesterday', { time });
      return `${formatDay(date.toISOString(), language, today)} ${time}`;
    },
    /** Label of a time axis: the time, or the day if steps are longer than some hours. */
    tick(at: string, isLong: boolean): string {
      const date = new Date(at);
      return isLong ? `${date.getMonth() + 1}/${date.getDate()}` : clock(date);
    },
    count: (value: number): string => number(value, 0),
    /** A rate such as 0.001 as 0.1%, with more digits if it is smaller. */
    percent: (rate: number): string => `${number(rate * 100, rate > 0 && rate < 0.01 ? 2 : 1)}%`,
    /** A duration such as 340 ms or 1.2 s. */
    duration: (ms: number): string => (ms < 1000 ? `${number(ms, 0)} ms` : `${number(ms / 1000, 1)} s`),
    /** The part of a bilingual reason in the current language, without its full stop; other reasons unchanged. */
    reason(text: string): string {
      const both = /^(\S+)：(.*。)\s*(It.*)$/.exec(text);
      const own =
        both && inLanguage({ zh: `${both[1]}：${both[2]}`, en: `${both[1]}: ${both[3]}` }, language);
      return (own ?? text).replace(/[.。]$/, '');
    },
    /** A value without a unit, such as 0.08. */
    score: (value: number): string => number(value, 2),
  };
}
