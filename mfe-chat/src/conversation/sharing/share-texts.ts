import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/share.json';

export const shareTexts = defineTexts<ShareTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/share.json`),
);
export type ShareTexts = typeof zh;
