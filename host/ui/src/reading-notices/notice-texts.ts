import type zh from '../../locales/zh/notices.json';
import type { Place } from '../cited-place.ts';
import { defineTexts, type Translate } from '../texts.ts';

/** What could not be read from a file, and where; all positions count from 1. */
export interface ReadingNotice {
  code: NoticeCode;
  at?: Place;
  /** The last page, slide or row of a range that starts at `at`. */
  until?: number;
  count: number;
}

/** Texts of notices for all screens. */
export const noticeTexts = defineTexts<NoticeTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/notices.json`),
);
export type NoticeTexts = typeof zh;
export type NoticeTranslate = Translate<NoticeTexts>;

type TextKey = keyof NoticeTexts;
type OtherKey = `notice.${
  | 'partly'
  | 'mostly'
  | 'page'
  | 'pages'
  | 'slide'
  | 'slides'
  | 'sheet'
  | 'row'
  | 'rows'
  | 'sentence'
  | 'and'}`;
type NoticeCode = Exclude<TextKey, OtherKey> extends `notice.${infer Code}` ? Code : never;
