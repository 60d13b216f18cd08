import { defineTexts, type Translate } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/contacts.json';
import { type RecordTexts, recordTexts } from '../lib/texts.ts';

export const contactTexts = defineTexts<ContactTexts>(
  ...recordTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/contacts.json`),
);
type ContactTexts = RecordTexts & typeof zh;
export type ContactTranslate = Translate<ContactTexts>;
