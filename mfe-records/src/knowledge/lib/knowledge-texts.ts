import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/knowledge.json';
import { type RecordTexts, recordTexts } from '../../lib/texts.ts';

export const knowledgeTexts = defineTexts<KnowledgeTexts>(
  ...recordTexts.files,
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/knowledge.json`),
);
export type KnowledgeTexts = RecordTexts & NoticeTexts & typeof zh;
