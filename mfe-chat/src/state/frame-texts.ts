import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/first.json';

/** Texts of the first chunk. */
export const frameTexts = defineTexts<FrameTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/first.json`),
);
export type FrameTexts = typeof zh;
