import { isDeepStrictEqual } from 'node:util';
import { Schema, type Types } from 'mongoose';
import { z } from 'zod';
import type { UserModel } from '../accounts/account-models.ts';
import { forEachLanguage, type Language } from '../contract/language.ts';
import type {
  DeskSettings,
  DeskTexts,
  SettingChange,
  SettingsHistory,
  SettingsRevision,
} from '../contract/settings.ts';
import { ApiError, invalidRequest, notFound } from '../errors/errors.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { cutPage, decodeCursor, encodeCursor, type PageRequest } from '../store/cursor.ts';
import { databaseDate } from '../store/database-clock.ts';
import { defineModel, modelsOf } from '../store/define-model.ts';
import { type DocumentOf, required } from '../store/fields.ts';
import { unlessDuplicate } from '../store/store-failure.ts';

const revisionFields = {
  _id: required(Number),
  settings: required<Partial<DeskSettings>>(Schema.Types.Mixed),
  at: required(Date),
  /** The account that saved it. */
  by: required(Schema.Types.ObjectId),
};

/**
 * A revision of the settings. The id is its number: of two concurrent changes of the same revision, the unique id refuses the second, and the
 * latest revision is the one with the largest id.
 */
type DeskRevisionDocument = DocumentOf<typeof revisionFields>;

const logoFields = {
  /** Hash of its content. */
  _id: required(String),
  /** Media type, by its content. */
  type: required(String),
  bytes: required(Buffer),
  at: required(Date),
};

/** A logo that an administrator has uploaded. Small enough for a document, so that it needs no file storage. */
export type DeskLogoDocument = DocumentOf<typeof logoFields>;

export type SettingsModels = ReturnType<typeof createSettingsModels>;
export const createSettingsModels = modelsOf({
  deskRevisions: defineModel<DeskRevisionDocument>('DeskRevision', 'desk_revisions', revisionFields),
  deskLogos: defineModel<DeskLogoDocument>('DeskLogo', 'desk_logos', logoFields),
});

/** Revision 0: the product's own texts and behaviour. */
export const defaultSettings: DeskSettings = {
  texts: forEachLanguage(emptyTexts),
  language: null,
  logo: null,
  handbook: true,
  models: null,
  guestDays: null,
  recordDays: null,
};

/** Stored settings with the defaults of fields that were added since. */
function completeSettings(stored: Partial<DeskSettings>): DeskSettings {
  return {
    ...defaultSettings,
    ...stored,
    texts: forEachLanguage((language) => ({ ...emptyTexts(), ...stored.texts?.[language] })),
  };
}

function emptyTexts(): DeskTexts {
  return { name: '', greeting: '', starters: [], contact: '', hours: '', notFound: '' };
}

const list = 'settings';
const Position = z.tuple([z.int().min(0)]);

export type DeskSettingsStore = ReturnType<typeof createDeskSettings>;

/** The settings with their history. Other domains read `latest()`, after a first `refresh()`. */
export function createDeskSettings({
  deskRevisions,
  deskLogos,
  users,
}: SettingsModels & { users: UserModel }) {
  let latest = defaultSettings;
  let latestRevision = 0;

  function note(revision: number, settings: DeskSettings): void {
    // A slow read must not replace settings that were saved meanwhile.
    if (revision < latestRevision) return;
    latest = settings;
    latestRevision = revision;
  }

  /** The names of accounts by id, without deleted ones. */
  async function namesOf(ids: readonly Types.ObjectId[]) {
    const found = await users.find({ _id: { $in: [...ids] }, deletedAt: null }, { username: 1 }).lean();
    return new Map(found.map(({ _id, username }) => [_id.toHexString(), username]));
  }

  const readLast = () => deskRevisions.findOne().sort({ _id: -1 }).lean();

  async function toRevision(stored: DeskRevisionDocument | null): Promise<SettingsRevision> {
    if (!stored) return { revision: 0, settings: defaultSettings, changedAt: null, changedBy: null };
    const names = await namesOf([stored.by]);
    return {
      revision: stored._id,
      settings: completeSettings(stored.settings),
      changedAt: stored.at.toISOString(),
      changedBy: names.get(stored.by.toHexString()) ?? null,
    };
  }

  async function current(): Promise<SettingsRevision> {
    const last = await toRevision(await readLast());
    note(last.revision, last.settings);
    return last;
  }

  /**
   * Saves `settings` as the revision after `revision`; nothing if they are the current ones. @throws settings_changed if another revision is
   * current, invalidRequest('settings.logo') for an unknown logo.
   */
  async function save(revision: number, settings: DeskSettings, by: Types.ObjectId) {
    const now = await current();
    if (now.revision !== revision) throw new ApiError('settings_changed', { current: now });
    if (settingChanges(now.settings, settings).length === 0) return now;
    const { logo } = settings;
    if (logo !== null && !(await deskLogos.exists({ _id: logo }))) throw invalidRequest('settings.logo');
    const document = { _id: revision + 1, settings, at: databaseDate(), by };
    if (!(await unlessDuplicate(deskRevisions.create(document))))
      throw new ApiError('settings_changed', { current: await current() });
    note(document._id, settings);
    return toRevision(document);
  }

  return {
    /** The settings as this process knows them: at most a few seconds old if another process has changed them. */
    latest: (): DeskSettings => latest,

    async refresh(): Promise<void> {
      const last = await readLast();
      if (last && last._id > latestRevision) note(last._id, completeSettings(last.settings));
    },

    current,
    save,

    /** Saves the settings of an earlier revision again. @throws settings_changed, notFound('revision') */
    async restore(revision: number, to: number, by: Types.ObjectId): Promise<SettingsRevision> {
      const earlier = to === 0 ? { settings: defaultSettings } : await deskRevisions.findById(to).lean();
      if (!earlier) throw notFound('revision');
      return save(revision, completeSettings(earlier.settings), by);
    },

    /** @throws invalidRequest('cursor') */
    async history({ limit, cursor }: PageRequest): Promise<SettingsHistory> {
      const before = cursor === undefined ? null : decodeCursor(list, cursor, Position)[0];
      const earlier = before === null ? {} : { _id: { $lt: before } };
      const found = await deskRevisions.find(earlier, null, { sort: { _id: -1 }, limit: limit + 1 }).lean();
      const { page, nextCursor } = cutPage(found, limit, (last) => encodeCursor(list, [last._id]));
      const names = await namesOf(page.map(({ by }) => by));
      const settingsOf = (at: number) => (found[at] ? completeSettings(found[at].settings) : defaultSettings);
      const revisions = page.map(({ _id, at, by }, index) => ({
        revision: _id,
        changedAt: at.toISOString(),
        changedBy: names.get(by.toHexString()) ?? null,
        changes: settingChanges(settingsOf(index + 1), settingsOf(index)),
      }));
      return { revisions, nextCursor };
    },
  };
}

/** The fields in which two revisions differ. A list is one field. */
function settingChanges(before: DeskSettings, after: DeskSettings): SettingChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...now].flatMap(([field, value]) =>
    isDeepStrictEqual(old.get(field), value) ? [] : [{ field, before: old.get(field), after: value }],
  );
}

function fieldsOf({ texts, ...others }: DeskSettings): Map<string, unknown> {
  const ofTexts = Object.entries(texts).flatMap(([language, all]) =>
    Object.entries(all).map(([name, text]) => [`texts.${language}.${name}`, text] as const),
  );
  return new Map<string, unknown>([...ofTexts, ...Object.entries(others)]);
}

const textOf = textsOf('answers');

/** The answer if nothing is found: the desk's own text or `product`, then how to reach people. */
export function nothingFoundText({ texts }: DeskSettings, language: Language, product: string): string {
  const { notFound, contact, hours } = texts[language];
  const parts = [
    notFound || product,
    contact && textOf('contact', { contact })(language),
    hours && textOf('hours', { hours })(language),
  ];
  return parts.filter(Boolean).join('\n\n');
}
