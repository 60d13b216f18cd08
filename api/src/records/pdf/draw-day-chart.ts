import { Temporal } from 'temporal-polyfill';
import type { ReportMessages } from './report-messages.ts';
import type { ReportText } from './report-text.ts';
import { bodyWidth, page } from './theme.ts';

/** Above this number of days, several days share a bar. */
const maxBars = 62;

/**
 * One bar per day from the first to the last, including days without questions. Draws nothing for a single
 * day.
 */
export function drawDayChart(
  byDay: ReadonlyMap<string, number>,
  { y, height }: { y: number; height: number },
  { canvas, fit, widthOf }: ReportText,
  words: ReportMessages,
): void {
  const { counts, first, last, daysPerBar } = countBars(byDay);
  if (counts.length < 2) return;
  const most = Math.max(...counts);
  const title = daysPerBar === 1 ? words.perDay : words.perDays(daysPerBar);
  fit(`${title}  ·  ${words.most(most)}`, page.left, y, bodyWidth, { size: 9, ink: 'ink3' });
  const top = y + 12;
  const foot = top + height - 30;
  const step = bodyWidth / counts.length;
  const width = Math.min(step * 0.72, 26);
  for (const [index, value] of counts.entries()) {
    const bar = (value / most) * (foot - top);
    if (value > 0)
      canvas.rect(page.left + index * step + (step - width) / 2, foot - bar, width, bar, 'accent');
  }
  canvas.rect(page.left, foot, bodyWidth, 0.6, 'line2');
  fit(first, page.left, foot + 12, 100, { size: 8, ink: 'ink3' });
  fit(last, page.left + bodyWidth - widthOf(last, 8), foot + 12, 100, { size: 8, ink: 'ink3' });
}

function countBars(byDay: ReadonlyMap<string, number>): {
  counts: number[];
  first: string;
  last: string;
  daysPerBar: number;
} {
  const days = [...byDay.keys()].sort();
  const first = days[0] ?? '';
  const last = days.at(-1) ?? '';
  if (first === last) return { counts: [], first, last, daysPerBar: 1 };
  const start = Temporal.PlainDate.from(first);
  const daysSince = (day: string) => start.until(day, { largestUnit: 'days' }).days;
  const span = daysSince(last) + 1;
  const daysPerBar = Math.ceil(span / maxBars);
  const counts = new Array<number>(Math.ceil(span / daysPerBar)).fill(0);
  for (const [day, value] of byDay) {
    const bar = Math.floor(daysSince(day) / daysPerBar);
    counts[bar] = counts[bar]! + value;
  }
  return { counts, first, last, daysPerBar };
}
