import type { Language } from '../../contract/language.ts';

/** Formats days and times of one time zone. */
interface LocalTime {
  /** YYYY-MM-DD and HH:MM of an ISO 8601 instant. */
  of(instant: string): { day: string; time: string };
  /** 2026 年 11 月 21 日 星期六; Saturday, 21 November 2026. */
  nameOf(day: string): string;
}

export function createLocalTime(tz: string, language: Language): LocalTime {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: tz,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const weekday = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'zh-CN', {
    timeZone: 'UTC',
    weekday: 'long',
  });
  const english = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  return {
    of(instant) {
      const [day = '', time = ''] = clock.format(new Date(instant)).split(' ');
      return { day, time };
    },
    nameOf(day) {
      const noon = new Date(`${day}T12:00:00Z`);
      if (language === 'en') return english.format(noon);
      const [year, month, date] = day.split('-');
      return `${year} 年 ${Number(month)} 月 ${Number(date)} 日 ${weekday.format(noon)}`;
    },
  };
}
