import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/reading.json';

/** Texts of a conversation that can only be read. */
export const readingTexts = defineTexts<ReadingTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/reading.json`),
);
export type ReadingTexts = typeof zh;
