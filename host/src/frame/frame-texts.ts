import { defineTexts, type Translate } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/frame.json';

export const frameTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/frame.json`),
);

export type FrameTranslate = Translate<typeof zh>;
