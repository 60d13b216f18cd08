import type zh from '../../locales/zh/notices.json';
import { defineTexts, type Translate } from '../texts.ts';

/** What could not be read of a file, and where; all places count from 1. */
export interface ReadingNotice {
  code: NoticeCode;
  at?: { page?: number; slide?: number; sheet?: string; row?: number };
  /** The last page, slide or row of a range that starts at `at`. */
  until?: number;
  count: number;
}

/** Texts of notices, the same in every screen. */
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

/** Short mark for a document: part of it, or most of it, could not be read. */
export function noticeMark(notices: readonly ReadingNotice[], t: NoticeTranslate): string {
  return t(notices.some(({ code }) => code === 'mostly_unread') ? 'notice.mostly' : 'notice.partly');
}

/** `Pages 3–7: text could not be decoded (characters: 120)`. A code of a newer API has the short mark. */
export function noticeSentence({ code, at, until, count }: ReadingNotice, t: NoticeTranslate): string {
  const known = t(`notice.${code}`, { count });
  const what = known === `notice.${code}` ? t('notice.partly') : known;
  const place = placeOf(at ?? {}, until, t);
  return place === '' ? what : t('notice.sentence', { place, what });
}

function placeOf(
  { page, slide, sheet, row }: NonNullable<ReadingNotice['at']>,
  until: number | undefined,
  t: NoticeTranslate,
): string {
  const part = (n: number | undefined, one: 'page' | 'slide' | 'row') => {
    if (n === undefined) return '';
    return until === undefined ? t(`notice.${one}`, { n }) : t(`notice.${one}s`, { n, until });
  };
  return [
    part(page, 'page'),
    part(slide, 'slide'),
    sheet === undefined ? '' : t('notice.sheet', { name: sheet }),
    part(row, 'row'),
  ]
    .filter(Boolean)
    .join(t('notice.and'));
}
