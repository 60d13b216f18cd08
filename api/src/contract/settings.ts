import type { Language } from './language.ts';

/** What a desk says in one language. '' and an empty list are the product's defaults. Line breaks are allowed where it says so. */
export interface DeskTexts {
  /** Name of the desk, at most 60. */
  name: string;
  /** First line of an empty conversation, at most 120. */
  greeting: string;
  /** Example questions of an empty conversation, at most 4 of at most 120. */
  starters: string[];
  /** How to reach people, at most 300, with line breaks. */
  contact: string;
  /** At most 200, with line breaks. */
  hours: string;
  /** Answer to a question that nothing supports an answer to, at most 600, Markdown with line breaks. */
  notFound: string;
}

/** Everything that administrators set; stored as a whole, one document for each revision. */
export interface DeskSettings {
  texts: Record<Language, DeskTexts>;
  /** Language of visitors who have not chosen one; 'browser': that of their browser, null: Chinese. */
  language: Language | 'browser' | null;
  /** Version of the logo, see `LogoReply`; null: the product's own. */
  logo: string | null;
  /** Whether the product's handbook is used for answers; without effect if HANDBOOK turns it off. */
  handbook: boolean;
  /** Names of the models offered to visitors; null: all, empty: none. Names that are not configured are ignored. */
  models: string[] | null;
  /** Days until the data of guests who stay away is deleted, 1–3650; null: GUEST_DAYS. */
  guestDays: number | null;
  /** Days after which records of accounts are deleted, 1–3650; null: never. */
  recordDays: number | null;
}

/** A revision of the settings. Revision 0 are the product's defaults, which nobody has saved. */
export interface SettingsRevision {
  revision: number;
  settings: DeskSettings;
  /** null for revision 0. */
  changedAt: string | null;
  /** Name of the account; null for revision 0 and if the account was deleted. */
  changedBy: string | null;
}

/** GET /api/settings, and the reply to a change. `product` is what applies where nothing is set. */
export interface SettingsReply extends SettingsRevision {
  product: {
    /** Names of the configured models, the default first. */
    models: string[];
    /** Whether the handbook can be turned on: HANDBOOK. */
    handbook: boolean;
    /** GUEST_DAYS. */
    guestDays: number;
    /** UNDO_DAYS: deleted records can be restored by their owners for so long. */
    undoDays: number;
    /** The answer if nothing is found, without contact details. */
    notFound: Record<Language, string>;
  };
}

/** GET /api/settings/access, for everyone signed in. */
export interface SettingsAccess {
  isAdministrator: boolean;
  /** Only for administrators. */
  firstSteps?: FirstSteps;
}

/** Which steps of setting up a desk are done: a document uploaded, a question asked, name and hours set. */
export interface FirstSteps {
  document: boolean;
  question: boolean;
  named: boolean;
}

/** PUT /api/settings. Replaces all settings. 409 `conflict` with `current` if `revision` is not the current one. */
export interface SettingsChange {
  revision: number;
  settings: DeskSettings;
}

/** POST /api/settings/restore: saves the settings of revision `to` as a new one. 409 as for `SettingsChange`. */
export interface SettingsRestore {
  revision: number;
  to: number;
}

/** PUT /api/settings/logo with an image as the body stores it; it is used once `settings.logo` is its version. */
export interface LogoReply {
  logo: string;
}

/** GET /api/settings/retention?days=: what is due if records are deleted after so many days. */
export interface RetentionPreview {
  records: number;
}

/** GET /api/settings/history, newest first. */
export interface SettingsHistory {
  revisions: SettingsHistoryEntry[];
  nextCursor: string | null;
}

export interface SettingsHistoryEntry {
  revision: number;
  changedAt: string;
  /** null if the account was deleted. */
  changedBy: string | null;
  changes: SettingChange[];
}

/** `field` is a path such as `texts.zh.name` or `models`. */
export interface SettingChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** GET /api/desk: what everyone may know of the settings. */
export interface DeskInfo {
  texts: Record<Language, DeskTexts>;
  /** Address of the logo; null: the product's own. */
  logoUrl: string | null;
}

/** The same in a page, without what is not set. */
export interface PageDesk extends Partial<Record<Language, Partial<Omit<DeskTexts, 'notFound'>>>> {
  logoUrl?: string;
  language?: Language | 'browser';
}
