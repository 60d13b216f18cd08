import type { DeskSettings, DeskTexts, SettingsReply } from 'api/contract/settings';

type Texts = Partial<Record<'zh' | 'en', Partial<DeskTexts>>>;

const none: DeskTexts = { name: '', greeting: '', starters: [], contact: '', hours: '', notFound: '' };

/** The product's settings with these differences. */
export function settingsWith(texts: Texts = {}, others: Partial<DeskSettings> = {}): DeskSettings {
  return {
    texts: { zh: { ...none, ...texts.zh }, en: { ...none, ...texts.en } },
    logo: null,
    handbook: true,
    models: null,
    language: null,
    guestDays: null,
    recordDays: null,
    ...others,
  };
}

export function replyWith(revision: number, settings = settingsWith()): SettingsReply {
  return {
    revision,
    settings,
    changedAt: revision === 0 ? null : '2026-11-20T08:00:00.000Z',
    changedBy: revision === 0 ? null : 'lin',
    product: {
      models: ['small', 'large'],
      handbook: true,
      guestDays: 7,
      undoDays: 7,
      notFound: { zh: '知识库里没有依据。', en: 'Nothing was found.' },
    },
  };
}
