import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/inbox.json';
import { type RecordTexts, recordTexts } from '../lib/texts.ts';

export const inboxTexts = defineTexts<InboxTexts>(
  ...recordTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/inbox.json`),
);
export type InboxTexts = RecordTexts & typeof zh;
