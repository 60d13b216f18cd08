import type { Say } from '../../i18n/texts-of.ts';

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats with thousands separators: 12,345 */
export function count(value: number): string {
  return numbers.format(value);
}

/** A percentage with one decimal, as /report shows it. Only all gives 100 and only none gives 0. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const rounded = Math.round((part / whole) * 1000) / 10;
  const shown = part > 0 && rounded === 0 ? 0.1 : part < whole && rounded === 100 ? 99.9 : rounded;
  return `${numbers.format(shown)}%`;
}

/** <0.1 s, 1.9 s, 2.5 min, as /report shows it. */
export function duration(ms: number, say: Say<'report'>): string {
  if (ms < 50) return say('seconds', { value: '<0.1' });
  if (ms < 59_950) return say('seconds', { value: numbers.format(ms / 1000) });
  return say('minutes', { value: numbers.format(ms / 60_000) });
}
