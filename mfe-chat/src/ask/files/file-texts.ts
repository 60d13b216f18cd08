import type { Translate } from 'host/contract';
import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import type zh from '../../../locales/zh/files.json';
import { useChat } from '../../state/chat-context.ts';

export const fileTexts = defineTexts<FileTexts>(
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/files.json`),
);
type FileTexts = NoticeTexts & typeof zh;
export type FileTranslate = Translate<FileTexts>;

export function useFileTexts(): FileTranslate {
  return useTranslate(useChat().services.i18n, fileTexts);
}
