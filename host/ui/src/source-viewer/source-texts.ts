import { NOTICE_TEXTS } from '../reading-notices/notice-texts.ts';
import type { SourcePlace } from './source-reader.ts';

/** Texts of the viewer, the same in every screen. */
export const SOURCE_TEXTS = {
  zh: {
    ...NOTICE_TEXTS.zh,
    close: '关闭原文',
    previous: '上一处引用',
    next: '下一处引用',
    ofCitations: '引用 {n} / {count}',
    download: '下载文件',
    downloadFailed: '文件没有下载成功',
    loading: '正在打开原文',
    failed: '原文没有打开',
    gone: '原文已不在知识库里',
    goneAbout: '回答引用的内容仍然保留在这里：',
    changed: '文档在回答之后有过更新，未找到引用的原句。',
    retry: '重试',
    earlier: '显示前面的内容',
    later: '显示后面的内容',
    page: '第 {n} 页',
    slide: '第 {n} 张幻灯片',
    sheet: '工作表「{name}」',
    row: '第 {n} 行',
    text: '原文',
    table: '表格',
    recognised: '识别出的文字',
    picture: '图片：{name}',
    view: '显示方式',
    pages: '原页',
    asText: '文字',
    pagesFailed: '这份 PDF 的页面显示不了，下面是它的文字。',
    pageFailed: '这一页显示不了',
    previousPage: '上一页',
    nextPage: '下一页',
    pageNumber: '页码，共 {count} 页',
    zoomOut: '缩小',
    zoomIn: '放大',
  },
  en: {
    ...NOTICE_TEXTS.en,
    close: 'Close source',
    previous: 'Previous citation',
    next: 'Next citation',
    ofCitations: 'Citation {n} of {count}',
    download: 'Download file',
    downloadFailed: 'The file could not be downloaded',
    loading: 'Opening the source',
    failed: 'The source could not be opened',
    gone: 'The source is no longer in the knowledge base',
    goneAbout: 'This is what the answer quoted:',
    changed: 'The document has changed since this answer; the quoted sentence was not found.',
    retry: 'Try again',
    earlier: 'Show earlier text',
    later: 'Show more',
    page: 'Page {n}',
    slide: 'Slide {n}',
    sheet: 'Sheet “{name}”',
    row: 'Row {n}',
    text: 'Source text',
    table: 'Table',
    recognised: 'Recognised text',
    picture: 'Picture: {name}',
    view: 'View',
    pages: 'Pages',
    asText: 'Text',
    pagesFailed: 'The pages of this PDF can’t be shown. Here is its text.',
    pageFailed: 'This page can’t be shown',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    pageNumber: 'Page number, of {count}',
    zoomOut: 'Zoom out',
    zoomIn: 'Zoom in',
  },
} as const satisfies Record<string, Record<string, string>>;

export type SourceTranslate = (
  key: keyof typeof SOURCE_TEXTS.zh,
  values?: Record<string, string | number>,
) => string;

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
