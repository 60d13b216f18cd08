import type { Translate } from 'host/contract';
import { NOTICE_TEXTS } from 'host/ui/reading-notices/notice-texts.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useChat } from '../shared/chat-context.ts';

const zh = {
  ...NOTICE_TEXTS.zh,
  attached: '要发送的文件',
  removeFile: '移除 {name}',
  'problem.empty': '空文件',
  'problem.type': '不支持这种文件',
  'problem.size': '合计超过 {size}',
  'problem.room': '存储空间只剩 {size}',
  removeFirst: '标红的文件不能发送，移除后再发：{names}',
  tooMany: '一次最多 10 个文件，有 {count} 个没有添加',
  drop: '松开即可添加文件',
  dropHint: '文本、Markdown、CSV、JSON、HTML、邮件（EML）、PDF、DOCX、XLSX、PPTX 或图片，最多 10 个',
  pasted: '粘贴的图片 {n}',
  pastedText: '粘贴的文字 {n}',
  pastedAsFile: '粘贴的文字超过 8,000 字，已作为文件添加',
  files: '文件',
  download: '下载',
  pages: '{count} 页',
  pictures: '图片',
  openPicture: '查看图片 {name}',
  unnamed: '图片 {n}',
  pictureFailed: '{name} 没能载入，再试一次',
  retry: '再试一次',
  ofTotal: '已上传 {loaded} / {total}，{percent}%',
  reading: '正在读取文件',
  readingFile: '正在读取 {name}',
  sorting: '已读完，正在整理内容',
  fileOf: '第 {n} / {count} 个文件',
  pageOf: '第 {done} / {total} 页',
  stepOf: '{done} / {total}',
  cancel: '取消',
};

const en: { [Key in keyof typeof zh]: string } = {
  ...NOTICE_TEXTS.en,
  attached: 'Files to send',
  removeFile: 'Remove {name}',
  'problem.empty': 'Empty file',
  'problem.type': 'File type not supported',
  'problem.size': 'Over {size} in total',
  'problem.room': 'Only {size} of storage left',
  removeFirst: "These files can't be sent. Remove them first: {names}",
  tooMany: 'Up to 10 files at a time. {count} not added.',
  drop: 'Drop files to add them',
  dropHint: 'Text, Markdown, CSV, JSON, HTML, e-mail (EML), PDF, DOCX, XLSX, PPTX or pictures, up to 10',
  pasted: 'Pasted picture {n}',
  pastedText: 'Pasted text {n}',
  pastedAsFile: 'The pasted text is longer than 8,000 characters, so it was added as a file',
  files: 'Files',
  download: 'Download',
  pages: '{count} pages',
  pictures: 'Pictures',
  openPicture: 'View picture {name}',
  unnamed: 'Picture {n}',
  pictureFailed: "{name} couldn't be loaded. Try again",
  retry: 'Try again',
  ofTotal: '{loaded} of {total} uploaded ({percent}%)',
  reading: 'Reading the files',
  readingFile: 'Reading {name}',
  sorting: 'Files read. Preparing the content',
  fileOf: 'file {n} of {count}',
  pageOf: 'page {done} of {total}',
  stepOf: '{done} of {total}',
  cancel: 'Cancel',
};

type FileTexts = typeof zh;

const TEXTS = { zh, en };

/** The texts about files in the current language. */
export function useFileTexts(): Translate<FileTexts> {
  return useTranslate(useChat().services.i18n, TEXTS);
}
