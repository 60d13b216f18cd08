import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Language, languages } from '../contract/language.ts';
import { after, CursorTime, cutPage, decodeCursor, encodeCursor, type PageRequest } from '../store/cursor.ts';
import { fold } from '../text/fold.ts';

interface Listed {
  _id: string;
  createdAt: Date;
}

/** A list in consecutive parts, each newest first. */
export interface PhasedList<T extends Listed> {
  /** Identifies the list and its filter, for cursors. */
  name: string;
  phases: readonly Record<string, unknown>[];
  /** Reads by (createdAt, _id), newest first. */
  read(filter: Record<string, unknown>, limit: number): Promise<T[]>;
  /** Optional predicate for items that a query cannot express. */
  fits?: ((one: T) => boolean) | undefined;
}

/** Narrows a list to items with `q` in one of their texts, after normalisation; unchanged if `q` is empty. */
export function searched<T extends Listed>(
  list: string,
  q: string,
  textsOf: (one: T) => readonly string[],
): Pick<PhasedList<T>, 'name' | 'fits'> {
  const wanted = fold(q.trim());
  if (wanted === '') return { name: list };
  return {
    name: `${list} ${createHash('sha256').update(wanted).digest('base64url')}`,
    fits: (one) => textsOf(one).some((text) => fold(text).includes(wanted)),
  };
}

/** All languages, with this one first. */
export function startingWith(language: Language): Language[] {
  return [language, ...languages.filter((other) => other !== language)];
}

const PhasePosition = z.tuple([z.int().nonnegative(), CursorTime, z.string().max(100)]);

/** Items per read when a predicate has to be applied. */
const slice = 200;

/** A page of a list after `cursor`. With a predicate, items are read until the page is full. */
export async function readPhases<T extends Listed>(list: PhasedList<T>, { limit, cursor }: PageRequest) {
  const [phase, at, id] =
    cursor === undefined ? [0, null, ''] : decodeCursor(list.name, cursor, PhasePosition);
  const found: { one: T; phase: number }[] = [];
  for (let now = phase; now < list.phases.length && found.length <= limit; now += 1) {
    const from = now === phase && at !== null ? { at: new Date(at), id } : null;
    for await (const one of inOrder(list, list.phases[now]!, from, limit)) {
      if (list.fits?.(one) ?? true) found.push({ one, phase: now });
      if (found.length > limit) break;
    }
  }
  const { page, nextCursor } = cutPage(found, limit, (last) =>
    encodeCursor(list.name, [last.phase, last.one.createdAt.getTime(), last.one._id]),
  );
  return { page: page.map(({ one }) => one), nextCursor };
}

/** All matching items of a list, part by part. */
export async function* everyOf<T extends Listed>(list: PhasedList<T>): AsyncGenerator<T> {
  for (const phase of list.phases) {
    for await (const one of inOrder(list, phase, null, slice)) if (list.fits?.(one) ?? true) yield one;
  }
}

async function* inOrder<T extends Listed>(
  { read, fits }: PhasedList<T>,
  phase: Record<string, unknown>,
  from: { at: Date; id: string } | null,
  limit: number,
): AsyncGenerator<T> {
  const size = fits ? slice : limit + 1;
  for (let last = from; ; ) {
    const some = await read({ ...phase, ...(last ? after('createdAt', last) : {}) }, size);
    yield* some;
    const end = some.at(-1);
    if (some.length < size || !end) return;
    last = { at: end.createdAt, id: end._id };
  }
}
