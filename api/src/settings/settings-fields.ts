import { z } from 'zod';
import { forEachLanguage, languages } from '../contract/language.ts';
import type { DeskSettings, DeskTexts } from '../contract/settings.ts';

/** Characters without an appearance of their own; those that change the direction of text could disguise a name. */
const invisible = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text without line breaks, of at most `max` UTF-16 units. */
function line(max: number) {
  return z
    .string()
    .transform((text) => text.toWellFormed().replace(/\s+/g, ' ').replace(invisible, '').trim())
    .pipe(z.string().max(max));
}

/** A text of several lines. */
function lines(max: number) {
  const clean = (one: string) => one.replace(/\t/g, ' ').replace(invisible, '').trimEnd();
  return z
    .string()
    .transform((text) =>
      text
        .toWellFormed()
        .split(/\r\n?|\n/)
        .map(clean)
        .join('\n')
        .trim(),
    )
    .pipe(z.string().max(max));
}

const Texts = z.strictObject({
  name: line(60),
  greeting: line(120),
  starters: z
    .array(line(120))
    .transform((all) => [...new Set(all.filter((one) => one !== ''))])
    .pipe(z.array(z.string()).max(4)),
  contact: lines(300),
  hours: lines(200),
  notFound: lines(600),
}) satisfies z.ZodType<DeskTexts>;

const Days = z.int().min(1).max(3650).nullable();

export const Settings = z.strictObject({
  texts: z.strictObject(forEachLanguage(() => Texts)),
  // Optional for programs that do not know it yet.
  language: z
    .enum([...languages, 'browser'])
    .nullable()
    .default(null),
  logo: z
    .string()
    .regex(/^[\w-]{24}$/)
    .nullable(),
  handbook: z.boolean(),
  models: z.array(z.string().min(1).max(100)).max(100).nullable(),
  guestDays: Days,
  recordDays: Days,
}) satisfies z.ZodType<DeskSettings>;

const Revision = z
  .int()
  .min(0)
  .max(2 ** 31);

/** PUT /api/settings. */
export const Change = z.strictObject({ revision: Revision, settings: Settings });
/** POST /api/settings/restore. */
export const Restore = z.strictObject({ revision: Revision, to: Revision });
/** GET /api/settings/retention. */
export const Retention = z.object({
  days: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(3650)),
});
