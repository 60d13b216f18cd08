import { z } from 'zod';

type ExactPartial<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodExactOptional<S[K]> };

/** The same object whose fields may be missing, though not undefined. */
export function exactPartial<S extends z.ZodRawShape>({ shape }: z.ZodObject<S>) {
  const fields = Object.entries(shape).map(([name, field]) => [name, z.exactOptional(field)]);
  return z.object(Object.fromEntries(fields) as ExactPartial<S>);
}

/** A text in a request: trimmed, without halves of surrogate pairs, of `min` to `max` UTF-16 units. */
export function trimmedText(max: number, min = 0) {
  return z
    .string()
    .transform((text) => text.toWellFormed().trim())
    .pipe(z.string().min(min).max(max))
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

/** A single line of text for histories and terminals, without control characters; white space is collapsed. */
export function line(least: number, most: number) {
  const shown = z
    .string()
    .min(least)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u);
  return z
    .string()
    .transform((text) => text.trim().replace(/\s+/g, ' '))
    .pipe(shown)
    .meta({ ...(least > 0 && { minLength: least }), maxLength: most });
}

/** A number in a query, of at most `most` digits. */
export const digits = (most: number) => z.string().regex(new RegExp(`^\\d{1,${most}}$`));

/** The query of every list: `limit` 1–100 (default 20), `cursor` from the previous page. */
export const PageQuery = z.object({
  limit: digits(3).default('20').transform(Number).pipe(z.number().min(1).max(100)),
  cursor: z.string().min(1).max(500).optional(),
});
/** The `cursor` of the next page; null at the end of the list. */
export const nextCursor = z.string().nullable();

/** Makes a repeated request idempotent: unique per owner. */
export const ClientId = z.string().min(1).max(64);

/** A day as YYYY-MM-DD. */
export const Day = z.string().refine(isDay).meta({ format: 'date' });
/** IANA name of a time zone; offsets such as +08:00 are not allowed. */
export const TimeZone = z.string().refine(isTimeZone);

/** Maximum length of contact id and name, in UTF-16 units. */
export const maxContactLength = 120;
/** Id or name of a contact; '' is the owner. */
export const ContactText = trimmedText(maxContactLength);

/** Requires exactly one of the fields `ids` and `filter`. */
export function hasOneSelection({ ids, filter }: { ids?: unknown; filter?: unknown }): boolean {
  return (ids === undefined) !== (filter === undefined);
}

/** Whether it is a valid day of the years 1 to 9999 as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
