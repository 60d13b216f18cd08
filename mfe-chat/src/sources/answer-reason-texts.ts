import type { Translate } from 'host/contract';
import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import type zh from '../../locales/zh/reasons.json';
import { useChat } from '../state/chat-context.ts';

export const reasonTexts = defineTexts<ReasonTexts>(
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/reasons.json`),
);
type ReasonTexts = NoticeTexts & typeof zh;
export type ReasonTextKey = keyof ReasonTexts;

export function useReasonTexts(): Translate<ReasonTexts> {
  return useTranslate(useChat().services.i18n, reasonTexts);
}
