import type { ReadingNotice, SourcePlace } from '../../contract/sources.ts';

/** A notice as a reader reports it: once for each thing, or with their number. */
export type FoundNotice = Pick<ReadingNotice, 'code' | 'at'> & { count?: number };

/** Maximum number of notices with a place; the others of a code become one without. */
const maxPlaces = 20;

/**
 * Joins equal notices and those of consecutive pages, slides or rows ("pages 3–7"). The result has at most
 * `maxPlaces` notices and one for each code, in the order of the file; 'mostly_unread' comes first.
 */
export function collectNotices(found: readonly FoundNotice[]): ReadingNotice[] {
  const joined: ReadingNotice[] = [];
  const latest = new Map<string, ReadingNotice>();
  for (const { code, at = {}, count = 1 } of found) {
    const { key, number } = partsOf(at);
    const of = `${code} ${key}`;
    const last = latest.get(of);
    const end = last && (last.until ?? partsOf(last.at ?? {}).number);
    if (last && (number === undefined || number === end || number === end! + 1)) {
      last.count += count;
      if (number !== undefined && number !== end) last.until = number;
      continue;
    }
    const notice: ReadingNotice = { code, ...(Object.keys(at).length > 0 ? { at } : {}), count };
    latest.set(of, notice);
    joined.push(notice);
  }
  const kept = joined.slice(0, maxPlaces);
  const rest = new Map<string, ReadingNotice>();
  for (const { code, count } of joined.slice(maxPlaces)) {
    const same = rest.get(code);
    if (same) same.count += count;
    else rest.set(code, { code, count });
  }
  return [...kept, ...rest.values()].sort(
    (a, b) => Number(b.code === 'mostly_unread') - Number(a.code === 'mostly_unread'),
  );
}

/** What a range has in common, and its number. A row belongs to its sheet. */
function partsOf({ page, slide, sheet = '', row }: SourcePlace): { key: string; number: number | undefined } {
  const kind = page !== undefined ? 'page' : slide !== undefined ? 'slide' : row !== undefined ? 'row' : '';
  return { key: `${kind} ${sheet}`, number: page ?? slide ?? row };
}
