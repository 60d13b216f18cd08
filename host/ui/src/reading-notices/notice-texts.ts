/** What could not be read of a file, and where; all places count from 1. */
export interface ReadingNotice {
  code: NoticeCode;
  at?: { page?: number; slide?: number; sheet?: string; row?: number };
  /** The last page, slide or row of a range that starts at `at`. */
  until?: number;
  count: number;
}

/** Texts of notices, the same in every screen. */
export const NOTICE_TEXTS = {
  zh: {
    'notice.partly': '部分内容没有读出',
    'notice.mostly': '大部分内容没有读出',
    'notice.page': '第 {n} 页',
    'notice.pages': '第 {n}–{until} 页',
    'notice.slide': '第 {n} 张幻灯片',
    'notice.slides': '第 {n}–{until} 张幻灯片',
    'notice.sheet': '工作表「{name}」',
    'notice.row': '第 {n} 行',
    'notice.rows': '第 {n}–{until} 行',
    'notice.sentence': '{place}：{what}',
    'notice.and': '，',
    'notice.mostly_unread': '看得见的文字有一半以上没有读出',
    'notice.text_not_decoded': '有 {count} 个字符无法解码',
    'notice.charset_unknown': '无法确定文字编码，可能有乱码',
    'notice.characters_damaged': '有 {count} 个字符已损坏',
    'notice.page_too_slow': '读取用时过长，没有读出',
    'notice.page_damaged': '文件在这里有损坏，没有读出',
    'notice.picture_not_read': '图片里的文字没有识别出来',
    'notice.attachment_not_read': '附带的文件没有读取（{count} 个）',
    'notice.embedded_not_read': '嵌入的内容没有读出（{count} 处）',
    'notice.form_not_read': '表单内容没有读出',
    'notice.formula_not_read': '公式没有读出（{count} 处）',
    'notice.formula_without_value': '公式没有保存计算结果（{count} 处）',
    'notice.chart_not_read': '图表里的数据没有读出（{count} 个）',
    'notice.drawing_not_read': '图形里的文字没有读出（{count} 个）',
    'notice.frame_not_read': '框架里的内容没有读出（{count} 个）',
  },
  en: {
    'notice.partly': 'Partly unread',
    'notice.mostly': 'Mostly unread',
    'notice.page': 'Page {n}',
    'notice.pages': 'Pages {n}–{until}',
    'notice.slide': 'Slide {n}',
    'notice.slides': 'Slides {n}–{until}',
    'notice.sheet': 'Sheet “{name}”',
    'notice.row': 'Row {n}',
    'notice.rows': 'Rows {n}–{until}',
    'notice.sentence': '{place}: {what}',
    'notice.and': ', ',
    'notice.mostly_unread': 'More than half of the visible text could not be read',
    'notice.text_not_decoded': 'Text could not be decoded (characters: {count})',
    'notice.charset_unknown': 'The character encoding is unknown, so some characters may be wrong',
    'notice.characters_damaged': 'Damaged characters: {count}',
    'notice.page_too_slow': 'Reading took too long and was stopped',
    'notice.page_damaged': 'The file is damaged here and could not be read',
    'notice.picture_not_read': 'Text in a picture was not recognised',
    'notice.attachment_not_read': 'Files inside this file were not read: {count}',
    'notice.embedded_not_read': 'Embedded content could not be read: {count}',
    'notice.form_not_read': 'The form could not be read',
    'notice.formula_not_read': 'Formulas that could not be read: {count}',
    'notice.formula_without_value': 'Formulas saved without their result: {count}',
    'notice.chart_not_read': 'Charts whose data could not be read: {count}',
    'notice.drawing_not_read': 'Drawings whose text could not be read: {count}',
    'notice.frame_not_read': 'Frames whose content could not be read: {count}',
  },
} as const satisfies Record<string, Record<string, string>>;

type TextKey = keyof typeof NOTICE_TEXTS.zh;
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

export type NoticeTranslate = (key: TextKey, values?: Record<string, string | number>) => string;

/** Short mark for a document: part of it, or most of it, could not be read. */
export function noticeMark(notices: readonly ReadingNotice[], t: NoticeTranslate): string {
  return t(notices.some(({ code }) => code === 'mostly_unread') ? 'notice.mostly' : 'notice.partly');
}

/** `Pages 3–7: text could not be decoded (characters: 120)`. A code of a newer API has the short mark. */
export function noticeSentence({ code, at, until, count }: ReadingNotice, t: NoticeTranslate): string {
  const what = Object.hasOwn(NOTICE_TEXTS.zh, `notice.${code}`)
    ? t(`notice.${code}`, { count })
    : t('notice.partly');
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
