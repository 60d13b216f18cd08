import type { SourcePlace } from '../../contract/sources.ts';
import type { Place } from './document.ts';

/** The line below the column names of a Markdown table, which is no row of the file. */
const divider = /^\|(?: --- \|)+$/;

/**
 * Returns a function for where a passage is in the file: the place of its start, and the places that begin
 * within it. To be called in the order of the passages. Rows of tables are counted line by line. O(n) for all
 * passages.
 */
export function createPlaceFinder(text: string, places: readonly Place[]) {
  let next = 0;
  let from = 0;
  let now: SourcePlace = {};
  return (start: number, end: number): Place[] => {
    for (; next < places.length && places[next]!.start <= start; next += 1) {
      now = after(now, places[next]!);
      from = places[next]!.start;
    }
    now = onwards(now, text.slice(from, start + 1));
    from = start;
    const first = Object.keys(now).length > 0 ? [{ start, ...now }] : [];
    const within = places.slice(next, next + maxWithin).filter((place) => place.start < end);
    return [...first, ...within];
  };
}

/** Maximum number of pages, slides, sheets and tables that begin within a passage. */
const maxWithin = 20;

/** Where a position of a document within this passage is in the file; null if unknown. */
export function placeAt(
  { text, start, places = [] }: { text: string; start: number; places?: readonly Place[] },
  position: number,
): SourcePlace | null {
  const before = places.filter((place) => place.start <= position);
  const last = before.at(-1);
  if (!last) return null;
  const place = onwards(before.reduce(after, {}), text.slice(last.start - start, position - start + 1));
  return Object.keys(place).length > 0 ? place : null;
}

/** The place after `now` when `place` begins. A row belongs to the sheet or page before it. */
function after(now: SourcePlace, { start: _, ...place }: Place): SourcePlace {
  return place.row === undefined ? place : { ...now, ...place };
}

/** The place at the end of a text that begins at this place. Text after a table is in none of its rows. */
function onwards({ row, ...place }: SourcePlace, text: string): SourcePlace {
  const [first = '', ...lines] = text.split('\n');
  if (row === undefined || (first.startsWith('|') && !(lines.at(-1) ?? first).startsWith('|'))) return place;
  const rows = lines.filter((line) => line.startsWith('|') && !divider.test(line.trimEnd()));
  return { ...place, row: row + rows.length };
}
