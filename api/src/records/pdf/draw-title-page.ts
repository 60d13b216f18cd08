import type { RecordStats } from '../../contract/search.ts';
import type { Say } from '../../i18n/texts-of.ts';
import { breakLines } from './break-lines.ts';
import type { ReportText } from './report-text.ts';
import { bodyWidth, look, page, type } from './rich-text.ts';

interface TitlePage {
  title: string;
  /** Creation day and time, in the report's time zone. */
  madeAt: string;
  conditions: [label: string, value: string][];
  totals: RecordStats;
}

const labelWidth = 92;
/** Maximum lines per filter; the last page contains it completely. */
const maxLines = 3;
/** Above this number of days, several days share a bar. */
const maxBars = 62;

type Figure = [label: string, value: string];

/** Draws filters and totals. Everything fits on one page for any title. */
export function drawTitlePage(
  { canvas, face, plain, fit, widthOf }: ReportText,
  say: Say<'report'>,
  { title, madeAt, conditions, totals }: TitlePage,
): void {
  canvas.rect(page.left, 92, 28, 3, 'accent');
  fit(say('brand'), page.left, 118, bodyWidth, { size: 10, ink: 'accent', isBold: true });
  let y = drawTitle(title, 132) + 14;
  for (const [label, value] of [...conditions, [say('made'), madeAt]] as const) y = drawRow(label, value, y);

  y += 22;
  canvas.rect(page.left, y, bodyWidth, 0.6, 'line2');
  y += 18;
  if (totals.total === 0) {
    fit(say('empty'), page.left, y + 14, bodyWidth, { size: 11.5, ink: 'ink2' });
    return;
  }
  y = drawFigures(figuresOf(totals), y) + 24;
  y = drawSources(totals, y) + 26;
  if (y < 690) drawDayChart(totals.byDay, { y, height: Math.min(120, 770 - y) });

  function drawTitle(title: string, top: number): number {
    const rich = plain(title.replaceAll(/\s+/g, ' '), look('ink', { isBold: true }));
    const room = (size: number) => (bodyWidth * 1000) / size;
    const large = breakLines(rich.text, room(type.display.size), face.advance);
    const style = large.length <= 3 ? type.display : type.title;
    const lines = style === type.display ? large : breakLines(rich.text, room(style.size), face.advance);
    let y = top;
    for (const line of lines) {
      canvas.line(rich, line, page.left, y + style.size, style.size);
      y += style.leading;
    }
    return y;
  }

  function drawRow(label: string, value: string, start: number): number {
    let y = start;
    const { size, leading } = type.body;
    fit(label, page.left, y + size, labelWidth - 8, { size: 9, ink: 'ink3' });
    const rich = plain(value, look('ink2'));
    const room = bodyWidth - labelWidth;
    const lines = breakLines(rich.text, (room * 1000) / size, face.advance);
    for (const [index, line] of lines.slice(0, maxLines).entries()) {
      const x = page.left + labelWidth;
      if (index === maxLines - 1 && lines.length > maxLines)
        fit(rich.text.slice(line.start), x, y + size, room, { size, ink: 'ink2' });
      else canvas.line(rich, line, x, y + size, size);
      y += leading;
    }
    return y + 1;
  }

  function figuresOf(totals: RecordStats): Figure[] {
    const { total, answered, unanswered, byOutcome, bySource, medianMs } = totals;
    const { up, down } = totals.satisfaction;
    return [
      [say('records'), count(total)],
      [say('answered'), count(answered)],
      [say('unanswered'), count(unanswered)],
      [say('byPerson'), count(bySource.person)],
      [say('days'), count(totals.byDay.length)],
      [say('median'), medianMs === null ? '–' : duration(medianMs, say)],
      [say('satisfaction'), up + down === 0 ? '–' : percent(up, up + down)],
      [say('helpful'), count(up)],
      [say('unhelpful'), count(down)],
      [say('outcome_related'), count(byOutcome.related)],
    ];
  }

  function drawFigures(figures: Figure[], top: number): number {
    const columns = 5;
    const width = bodyWidth / columns;
    for (const [index, [label, value]] of figures.entries()) {
      const x = page.left + (index % columns) * width;
      const y = top + Math.floor(index / columns) * 54;
      fit(value, x, y + 20, width - 8, { size: type.figure.size, ink: 'ink', isBold: true });
      fit(label, x, y + 36, width - 8, { size: 8.5, ink: 'ink3' });
    }
    return top + Math.ceil(figures.length / columns) * 54 - 12;
  }

  /** One bar per source, in one colour. */
  function drawSources({ bySource, total }: RecordStats, top: number): number {
    fit(say('bySource'), page.left, top, bodyWidth, { size: 9, ink: 'ink3' });
    let y = top + 10;
    const largest = Math.max(...Object.values(bySource));
    const maxLength = bodyWidth - labelWidth - 90;
    for (const source of ['curated', 'document', 'model', 'person', 'none'] as const) {
      const value = bySource[source];
      fit(say(`source_${source}`), page.left, y + 9, labelWidth - 8, { size: 9, ink: 'ink2' });
      const length = largest === 0 ? 0 : (maxLength * value) / largest;
      const x = page.left + labelWidth;
      if (value > 0) canvas.rect(x, y + 2, Math.max(length, 1), 8, source === 'none' ? 'line2' : 'accent');
      const figure = `${count(value)}  ${percent(value, total)}`;
      fit(figure, x + length + 6, y + 9, 84, { size: 8.5, ink: 'ink3' });
      y += 17;
    }
    return y;
  }

  /** One bar per day, also for days without questions. Draws nothing for a single day. */
  function drawDayChart(byDay: RecordStats['byDay'], { y, height }: { y: number; height: number }): void {
    const { counts, first, last, daysPerBar } = countBars(byDay);
    if (counts.length < 2) return;
    const largest = Math.max(...counts);
    const title = daysPerBar === 1 ? say('perDay') : say('perDays', { days: daysPerBar });
    fit(`${title}  ·  ${say('most', { count: largest })}`, page.left, y, bodyWidth, { size: 9, ink: 'ink3' });
    const top = y + 12;
    const foot = top + height - 30;
    const step = bodyWidth / counts.length;
    const width = Math.min(step * 0.72, 26);
    for (const [index, value] of counts.entries()) {
      const bar = (value / largest) * (foot - top);
      const x = page.left + index * step + (step - width) / 2;
      if (value > 0) canvas.rect(x, foot - bar, width, bar, 'accent');
    }
    canvas.rect(page.left, foot, bodyWidth, 0.6, 'line2');
    fit(first, page.left, foot + 12, 100, { size: 8, ink: 'ink3' });
    fit(last, page.left + bodyWidth - widthOf(last, 8), foot + 12, 100, { size: 8, ink: 'ink3' });
  }
}

function countBars(byDay: RecordStats['byDay']) {
  const first = byDay[0]?.day ?? '';
  const last = byDay.at(-1)?.day ?? '';
  if (first === last) return { counts: [], first, last, daysPerBar: 1 };
  const daysSince = (day: string) => (Date.parse(day) - Date.parse(first)) / 86_400_000;
  const span = daysSince(last) + 1;
  const daysPerBar = Math.ceil(span / maxBars);
  const counts = new Array<number>(Math.ceil(span / daysPerBar)).fill(0);
  for (const { day, count: questions } of byDay)
    counts[Math.floor(daysSince(day) / daysPerBar)]! += questions;
  return { counts, first, last, daysPerBar };
}

/** With thousands separators: 12,345 */
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const count = (value: number) => numbers.format(value);

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
