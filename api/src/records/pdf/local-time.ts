import type { Language } from '../../contract/language.ts';
import { localeOf } from '../../i18n/texts-of.ts';

/** Names of days that are written differently than `Intl` does: in Chinese with spaces. */
const dayNames: Partial<Record<Language, (name: string) => string>> = {
  zh: (name) => name.replaceAll(/(?<=\d)(?=\D)|(?<=[年月日])(?=\S)/gu, ' '),
};

export function createLocalTime(tz: string, language: Language) {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' });
  const long = new Intl.DateTimeFormat(localeOf(language), { timeZone: 'UTC', dateStyle: 'full' });
  return {
    /** YYYY-MM-DD and HH:MM of an ISO 8601 instant. */
    of(instant: string): { day: string; time: string } {
      const [day = '', time = ''] = clock.format(new Date(instant)).split(' ');
      return { day, time };
    },
    /** 2026 年 11 月 21 日 星期六; Saturday, 21 November 2026. */
    nameOf(day: string): string {
      const name = long.format(new Date(`${day}T12:00:00Z`));
      return dayNames[language]?.(name) ?? name;
    },
  };
}
