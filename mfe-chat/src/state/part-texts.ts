import type { Texts, Translate } from 'host/contract';
import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import type files from '../../locales/zh/files.json';
import type handover from '../../locales/zh/handover.json';
import type reasons from '../../locales/zh/reasons.json';
import type share from '../../locales/zh/share.json';
import { useChat } from './chat-context.ts';

/** Texts of parts that are loaded when they are first needed. */
export const fileTexts = defineTexts<FileTexts>(
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/files.json`),
);
type FileTexts = NoticeTexts & typeof files;
export type FileTranslate = Translate<FileTexts>;

export const handoverTexts = defineTexts<typeof handover>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/handover.json`),
);
export type HandoverTranslate = Translate<typeof handover>;

export const reasonTexts = defineTexts<ReasonTexts>(
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/reasons.json`),
);
export type ReasonTexts = NoticeTexts & typeof reasons;

export const shareTexts = defineTexts<typeof share>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/share.json`),
);
export type ShareTranslate = Translate<typeof share>;

/** A translator for the texts of a part, in the current language. */
export function useTexts<M extends object>(texts: Texts<M>): Translate<M> {
  return useTranslate(useChat().services.i18n, texts);
}
