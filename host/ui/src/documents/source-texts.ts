import type zh from '../../locales/zh/source.json';
import { type NoticeTexts, noticeTexts } from '../reading-notices/notice-texts.ts';
import { defineTexts, type Translate } from '../texts.ts';
import type { SourcePlace } from './source-reader.ts';

/** Texts of the viewer, the same in every screen. */
export const sourceTexts = defineTexts<SourceTexts>(
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/source.json`),
);
type SourceTexts = NoticeTexts & typeof zh;
export type SourceTranslate = Translate<SourceTexts>;

/** `Page 40`, `Sheet “Prices” · Row 900`; '' if unknown. */
export function formatPlace({ page, slide, sheet, row }: SourcePlace, t: SourceTranslate): string {
  return [
    page === undefined ? '' : t('page', { n: page }),
    slide === undefined ? '' : t('slide', { n: slide }),
    sheet === undefined ? '' : t('sheet', { name: sheet }),
    row === undefined ? '' : t('row', { n: row }),
  ]
    .filter(Boolean)
    .join(' · ');
}
