import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/shared.json';

export const sharedTexts = defineTexts<SharedTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/shared.json`),
);
export type SharedTexts = typeof zh;
