import { defineTexts, type Translate } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/later.json';

/** Texts of the frame that the first paint does not need: failed calls, previews and new versions. */
export const laterTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/later.json`),
);

export type LaterTranslate = Translate<typeof zh>;
