import type { Language } from 'api/contract/language';
import type { DeskSettings, DeskTexts } from 'api/contract/settings';

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
