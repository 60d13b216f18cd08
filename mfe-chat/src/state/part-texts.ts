import type { Translate } from 'host/contract';
import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import type files from '../../locales/zh/files.json';
import type handover from '../../locales/zh/handover.json';
import type reading from '../../locales/zh/reading.json';
import type reasons from '../../locales/zh/reasons.json';
import type share from '../../locales/zh/share.json';
import type shared from '../../locales/zh/shared.json';

/** Texts of parts that are loaded when they are first needed. */
export const fileTexts = defineTexts<FileTexts>(...noticeTexts.files, file('files'));
type FileTexts = NoticeTexts & typeof files;
export type FileTranslate = Translate<FileTexts>;

export const handoverTexts = defineTexts<typeof handover>(file('handover'));
export type HandoverTranslate = Translate<typeof handover>;

export const reasonTexts = defineTexts<ReasonTexts>(...noticeTexts.files, file('reasons'));
export type ReasonTexts = NoticeTexts & typeof reasons;

export const shareTexts = defineTexts<typeof share>(file('share'));
export type ShareTranslate = Translate<typeof share>;

/** Texts of a conversation that can only be read. */
export const readingTexts = defineTexts<typeof reading>(file('reading'));

/** Texts of the screen that shows a conversation through a link. */
export const sharedTexts = defineTexts<typeof shared>(file('shared'));

function file(name: string) {
  return (language: string) =>
    import(/* webpackChunkName: "[request]" */ `../../locales/${language}/${name}.json`);
}
