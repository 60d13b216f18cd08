import { isDeepStrictEqual } from 'node:util';
import type { DeskSettings, SettingChange } from '../contract/settings.ts';

/** The fields in which two revisions differ. A list is one field. */
export function settingChanges(before: DeskSettings, after: DeskSettings): SettingChange[] {
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
