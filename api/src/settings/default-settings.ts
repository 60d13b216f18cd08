import { forEachLanguage } from '../contract/language.ts';
import type { DeskSettings, DeskTexts } from '../contract/settings.ts';

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
export function completeSettings(stored: Partial<DeskSettings>): DeskSettings {
  return {
    ...defaultSettings,
    ...stored,
    texts: forEachLanguage((language) => ({ ...emptyTexts(), ...stored.texts?.[language] })),
  };
}

function emptyTexts(): DeskTexts {
  return { name: '', greeting: '', starters: [], contact: '', hours: '', notFound: '' };
}
