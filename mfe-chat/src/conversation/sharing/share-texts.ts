import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/share.json';

/** Texts of the dialog that shares a conversation. */
export const shareTexts = defineTexts<ShareTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/share.json`),
);
export type ShareTexts = typeof zh;
