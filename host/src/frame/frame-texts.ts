import { defineTexts, type Translate } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/frame.json';
import type laterZh from '../../locales/zh/later.json';

export const frameTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/frame.json`),
);

export type FrameTranslate = Translate<typeof zh>;

/** Texts of the frame that the first paint does not need: failed calls, previews and new versions. */
export const laterTexts = defineTexts<typeof laterZh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/later.json`),
);

export type LaterTranslate = Translate<typeof laterZh>;
