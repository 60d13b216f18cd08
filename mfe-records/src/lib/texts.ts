import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/records.json';

/** Texts of records, and of screens that could not be loaded. */
export const recordTexts = defineTexts<RecordTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/records.json`),
);
export type RecordTexts = typeof zh;
