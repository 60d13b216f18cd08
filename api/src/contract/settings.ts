import { z } from 'zod';
import { digits, exactPartial, nextCursor } from './fields.ts';
import { forEachLanguage, languages } from './language.ts';
import { Right } from './rights.ts';
import { SignInWays } from './single-sign-on.ts';

/** Characters without an appearance of their own; those that change the direction of text could disguise a name. */
const invisible = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text without line breaks, of at most `max` UTF-16 units. */
function line(max: number) {
  return z
    .string()
    .transform((text) => text.toWellFormed().replace(/\s+/g, ' ').replace(invisible, '').trim())
    .pipe(z.string().max(max))
    .meta({ maxLength: max });
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
    .pipe(z.string().max(max))
    .meta({ maxLength: max });
}

/** The texts of a desk in one language. '' and an empty list mean the product's defaults. Line breaks are allowed only where stated. */
export const DeskTexts = z.strictObject({
  /** Name of the desk, at most 60. */
  name: line(60),
  /** First line of an empty conversation, at most 120. */
  greeting: line(120),
  /** Example questions of an empty conversation, at most 4 of at most 120. */
  starters: z
    .array(line(120))
    .transform((all) => [...new Set(all.filter((one) => one !== ''))])
    .pipe(z.array(z.string()).max(4))
    .meta({ maxItems: 4 }),
  /** How to reach people, at most 300, with line breaks. */
  contact: lines(300),
  /** At most 200, with line breaks. */
  hours: lines(200),
  /** Answer to a question that nothing supports an answer to, at most 600, Markdown with line breaks. */
  notFound: lines(600),
});
export type DeskTexts = z.infer<typeof DeskTexts>;

const Days = z.int().min(1).max(3650).nullable();

/** Everything that administrators set; stored as a whole, one document for each revision. */
export const DeskSettings = z.strictObject({
  texts: z.strictObject(forEachLanguage(() => DeskTexts)),
  /** Language of visitors who have not chosen one; 'browser': that of their browser, null: Chinese. */
  language: z
    .enum([...languages, 'browser'])
    .nullable()
    .default(null),
  /** Version of the logo, see `LogoReply`; null: the product's own. */
  logo: z
    .string()
    .regex(/^[\w-]{24}$/)
    .nullable(),
  /** Whether the product's handbook is used for answers; without effect if HANDBOOK turns it off. */
  handbook: z.boolean(),
  /** Names of the models offered to visitors; null: all, empty: none. Names that are not configured are ignored. */
  models: z.array(z.string().min(1).max(100)).max(100).nullable(),
  /** Days until the data of guests who stay away is deleted, 1–3650; null: GUEST_DAYS. */
  guestDays: Days,
  /** Days after which records of accounts are deleted, 1–3650; null: never. */
  recordDays: Days,
});
export type DeskSettings = z.infer<typeof DeskSettings>;

/** A revision of the settings. Revision 0 are the product's defaults, which nobody has saved. */
export const SettingsRevision = z.object({
  revision: z.number(),
  settings: DeskSettings,
  /** null for revision 0. */
  changedAt: z.string().nullable(),
  /** Name of the account; null for revision 0 and if the account was deleted. */
  changedBy: z.string().nullable(),
});
export type SettingsRevision = z.infer<typeof SettingsRevision>;

/** GET /api/settings, and the reply to a change. `product` is what applies where nothing is set. */
export const SettingsReply = SettingsRevision.extend({
  product: z.object({
    /** Names of the configured models, the default first. */
    models: z.array(z.string()),
    /** Whether the handbook can be turned on: HANDBOOK. */
    handbook: z.boolean(),
    /** GUEST_DAYS. */
    guestDays: z.number(),
    /** UNDO_DAYS: deleted records can be restored by their owners for so long. */
    undoDays: z.number(),
    /** The answer if nothing is found, without contact details. */
    notFound: z.record(z.enum(languages), z.string()),
  }),
});
export type SettingsReply = z.infer<typeof SettingsReply>;

/** Which steps of setting up a desk are done: a document uploaded, a question asked, name and hours set. */
export const FirstSteps = z.object({ document: z.boolean(), question: z.boolean(), named: z.boolean() });
export type FirstSteps = z.infer<typeof FirstSteps>;

/** GET /api/settings/access, for everyone signed in. */
export const SettingsAccess = z.object({
  /** What the account may do; menus follow it. */
  rights: z.array(Right),
  isAdministrator: z.boolean(),
  /** Only for administrators. */
  firstSteps: FirstSteps.exactOptional(),
});
export type SettingsAccess = z.infer<typeof SettingsAccess>;

const Revision = z
  .int()
  .min(0)
  .max(2 ** 31);

/** PUT /api/settings. Replaces all settings. 409 `conflict` with `current` if `revision` is not the current one. */
export const SettingsChange = z.strictObject({ revision: Revision, settings: DeskSettings });
export type SettingsChange = z.infer<typeof SettingsChange>;

/** POST /api/settings/restore: saves the settings of revision `to` as a new one. 409 as for `SettingsChange`. */
export const SettingsRestore = z.strictObject({ revision: Revision, to: Revision });
export type SettingsRestore = z.infer<typeof SettingsRestore>;

/** PUT /api/settings/logo with an image as the body stores it; it is used once `settings.logo` is its version. */
export const LogoReply = z.object({ logo: z.string() });
export type LogoReply = z.infer<typeof LogoReply>;

export const RetentionQuery = z.object({
  days: digits(4).transform(Number).pipe(z.number().min(1).max(3650)),
});

/** GET /api/settings/retention?days=: the number of records that would be deleted with this retention time. */
export const RetentionPreview = z.object({ records: z.number() });
export type RetentionPreview = z.infer<typeof RetentionPreview>;

/** `field` is a path such as `texts.zh.name` or `models`. */
export const SettingChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type SettingChange = z.infer<typeof SettingChange>;

export const SettingsHistoryEntry = z.object({
  revision: z.number(),
  changedAt: z.string(),
  /** null if the account was deleted. */
  changedBy: z.string().nullable(),
  changes: z.array(SettingChange),
});
export type SettingsHistoryEntry = z.infer<typeof SettingsHistoryEntry>;

/** GET /api/settings/history, newest first. */
export const SettingsHistory = z.object({ revisions: z.array(SettingsHistoryEntry), nextCursor });
export type SettingsHistory = z.infer<typeof SettingsHistory>;

/** GET /api/desk: what everyone may know of the settings. */
export const DeskInfo = z.object({
  texts: z.record(z.enum(languages), DeskTexts),
  /** Address of the logo; null: the product's own. */
  logoUrl: z.string().nullable(),
});
export type DeskInfo = z.infer<typeof DeskInfo>;

/** The same as embedded in a page, without values that are not set. */
export const PageDesk = z.object({
  ...forEachLanguage(() => exactPartial(DeskTexts.omit({ notFound: true })).exactOptional()),
  logoUrl: z.string().exactOptional(),
  language: z.enum([...languages, 'browser']).exactOptional(),
  /** Missing: only with user name and password. */
  signIn: SignInWays.exactOptional(),
});
export type PageDesk = z.infer<typeof PageDesk>;
