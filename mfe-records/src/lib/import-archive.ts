import type { Http } from 'host/contract';

/** A part of an exported file for one call. */
export interface Slice {
  /** Number of items in it, of which there is at least one. */
  count: number;
  body: object;
}

/** A call has about this many UTF-16 units of JSON; a longer item is sent alone. */
const sliceUnits = 2_000_000;

/** The content of an exported file of this format with these lists; undefined for any other file. */
export function readArchive<T extends { format: string }>(
  text: string,
  format: T['format'],
  lists: readonly (keyof T)[],
): T | undefined {
  try {
    const data = JSON.parse(text.replace(/^\ufeff/, ''));
    const isOne = data?.format === format && data.version === 1;
    return isOne && lists.every((list) => Array.isArray(data[list])) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Groups the items of an archive for one call each, in their order, at most `most` of them. */
export function sliceItems<T>(items: readonly T[], most: number): T[][] {
  const slices: T[][] = [];
  let units = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (units + size > sliceUnits || slices.at(-1)?.length === most) {
      slices.push([]);
      units = 0;
    }
    slices.at(-1)!.push(item);
    units += size;
  }
  return slices;
}

export interface ImportProgress {
  /** Number of imported slices, and of the items in them. */
  slices: number;
  done: number;
  /** Sums of the numbers in the replies. */
  counts: Readonly<Record<string, number>>;
}

export const nothingImported: ImportProgress = { slices: 0, done: 0, counts: {} };

/**
 * Sends the slices one after the other, starting at `progress`, and reports each that was imported. Rejects with the
 * HttpFailure of the first that fails; earlier slices stay imported, and continuing from there loses and duplicates
 * nothing.
 */
export async function importSlices(
  http: Http,
  url: string,
  slices: readonly Slice[],
  progress: ImportProgress,
  { signal, onProgress }: { signal: AbortSignal; onProgress(progress: ImportProgress): void },
): Promise<void> {
  let now = progress;
  for (const { count, body } of slices.slice(progress.slices)) {
    const { data } = await http.post<Record<string, unknown>>(url, body, { signal });
    const counts = { ...now.counts };
    for (const [name, value] of Object.entries(data))
      if (typeof value === 'number') counts[name] = (counts[name] ?? 0) + value;
    now = { slices: now.slices + 1, done: now.done + count, counts };
    onProgress(now);
  }
}
