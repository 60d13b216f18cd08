import type { DeskSettings, DeskTexts } from '../contract/settings.ts';

/** Revision 0: the product's own texts and behaviour. */
export const defaultSettings: DeskSettings = {
  texts: { zh: emptyTexts(), en: emptyTexts() },
  logo: null,
  handbook: true,
  models: null,
  guestDays: null,
  recordDays: null,
};

/** Stored settings with the defaults of fields that were added since. */
export function completeSettings(stored: Partial<DeskSettings>): DeskSettings {
  const { texts } = stored;
  return {
    ...defaultSettings,
    ...stored,
    texts: { zh: { ...emptyTexts(), ...texts?.zh }, en: { ...emptyTexts(), ...texts?.en } },
  };
}

function emptyTexts(): DeskTexts {
  return { name: '', greeting: '', starters: [], contact: '', hours: '', notFound: '' };
}
