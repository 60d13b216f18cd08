import type zh from '../../locales/zh/source.json';
import { placeParts } from '../cited-place.ts';
import { type NoticeTexts, noticeTexts } from '../reading-notices/notice-texts.ts';
import { defineTexts, type Translate } from '../texts.ts';
import type { SourcePlace } from './source-reader.ts';

/** Texts of the document viewer for all screens. */
export const sourceTexts = defineTexts<SourceTexts>(
  ...noticeTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/source.json`),
);
type SourceTexts = NoticeTexts & typeof zh;
export type SourceTranslate = Translate<SourceTexts>;

/** `Page 40`, `Sheet “Prices” · Row 900`; '' if unknown. */
export function formatPlace(place: SourcePlace, t: SourceTranslate): string {
  return placeParts(place, t).join(' · ');
}
