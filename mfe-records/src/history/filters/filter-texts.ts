import { defineTexts, type Translate } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/filters.json';

export const filterTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/filters.json`),
);
export type FilterTranslate = Translate<typeof zh>;
