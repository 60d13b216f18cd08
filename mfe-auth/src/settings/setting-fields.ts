import type { Language } from 'api/contract/language';
import type { DeskSettings, DeskTexts } from 'api/contract/settings';
import type { Translate } from 'host/contract';
import type { SettingsTexts } from '../texts.ts';

/** Path of one field: `texts.zh.name`, `models`. A list is one field. */
export type SettingField = `texts.${Language}.${keyof DeskTexts}` | Exclude<keyof DeskSettings, 'texts'>;

const texts = ['name', 'greeting', 'starters', 'contact', 'hours', 'notFound'] as const;

const fieldsOf = (settings: DeskSettings): SettingField[] => [
  'logo',
  'language',
  ...languagesOf(settings).flatMap((language) => texts.map((name) => `texts.${language}.${name}` as const)),
  'handbook',
  'models',
  'guestDays',
  'recordDays',
];

export function languagesOf({ texts }: DeskSettings): Language[] {
  return Object.keys(texts) as Language[];
}

/** Name of a language in that language. */
export function languageName(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
}

export function readField(settings: DeskSettings, field: SettingField): unknown {
  const [first, language, name] = field.split('.');
  if (first !== 'texts') return settings[field as Exclude<keyof DeskSettings, 'texts'>];
  return settings.texts[language as Language][name as keyof DeskTexts];
}

/** A copy of `settings` with the value that `from` has in this field. */
export function takeField(settings: DeskSettings, field: SettingField, from: DeskSettings): DeskSettings {
  const value = readField(from, field);
  const [first, language, name] = field.split('.');
  if (first !== 'texts') return { ...settings, [field]: value };
  const of = language as Language;
  return { ...settings, texts: { ...settings.texts, [of]: { ...settings.texts[of], [name ?? '']: value } } };
}

/** The fields in which two settings differ. Spaces around texts, and empty questions, make no difference: the server removes them. */
export function changedFields(before: DeskSettings, after: DeskSettings): SettingField[] {
  return fieldsOf(after).filter(
    (field) => keyOf(readField(before, field)) !== keyOf(readField(after, field)),
  );
}

/** Applies the changes from `base` to `mine` to `theirs`, which others have saved since. */
export function rebase(mine: DeskSettings, base: DeskSettings, theirs: DeskSettings): DeskSettings {
  return changedFields(base, mine).reduce((all, field) => takeField(all, field, mine), theirs);
}

function keyOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (!Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(value.map((one) => String(one).trim()).filter(Boolean));
}

type T = Translate<SettingsTexts>;

/** Readable name of a field, such as 名称（中文）. Unknown fields of a newer server are named by their path. */
export function fieldLabel(field: string, t: T): string {
  const [, language, name] = /^texts\.(\w+)\.(\w+)$/.exec(field) ?? [];
  const label = t(`field.${name ?? field}` as 'field.name');
  if (!language) return label;
  return t('field.of', { field: label, language: languageName(language) });
}

/** Readable value of a field, in one line. */
export function fieldValue(field: string, value: unknown, t: T): string {
  if (field === 'logo') return t(value === null ? 'value.empty' : 'value.logo');
  if (field === 'language' && typeof value === 'string')
    return value === 'browser' ? t('language.browser') : languageName(value);
  if (field === 'models' && value === null) return t('value.all');
  if (field === 'recordDays' && value === null) return t('value.keep');
  if (typeof value === 'number') return t('value.days', { count: value });
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (Array.isArray(value)) {
    const none = field === 'models' ? 'value.none' : 'value.empty';
    return value.length > 0 ? value.join(' / ') : t(none);
  }
  return typeof value === 'string' && value !== '' ? value : t('value.empty');
}
