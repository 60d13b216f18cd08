import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/history.json';
import { type RecordTexts, recordTexts } from '../lib/texts.ts';

export const historyTexts = defineTexts<HistoryTexts>(
  ...recordTexts.files,
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/history.json`),
);
export type HistoryTexts = RecordTexts & NoticeTexts & typeof zh;
