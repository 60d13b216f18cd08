import type { Translate } from 'host/contract';
import type { SettingsTexts } from '../texts.ts';
import { languageName } from './setting-fields.ts';

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
