import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/shared.json';

/** Texts of the screen that shows a shared conversation. */
export const sharedTexts = defineTexts<SharedTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/shared.json`),
);
export type SharedTexts = typeof zh;
