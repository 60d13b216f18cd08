import { defineTexts, type Translate } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/composition.json';

export const compositionTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/composition.json`),
);

export type CompositionTranslate = Translate<typeof zh>;
