import { type NoticeTexts, noticeTexts } from 'host/ui/reading-notices/notice-texts.ts';
import { defineTexts } from 'host/ui/texts.ts';
import type contacts from '../../locales/zh/contacts.json';
import type filters from '../../locales/zh/filters.json';
import type history from '../../locales/zh/history.json';
import type inbox from '../../locales/zh/inbox.json';
import type knowledge from '../../locales/zh/knowledge.json';
import type records from '../../locales/zh/records.json';
import type report from '../../locales/zh/report.json';

/** Texts of records, and of screens that could not be loaded. */
export const recordTexts = defineTexts<RecordTexts>(file('records'));
export type RecordTexts = typeof records;

export const historyTexts = defineTexts<HistoryTexts>(
  ...recordTexts.files,
  ...noticeTexts.files,
  file('history'),
);
export type HistoryTexts = RecordTexts & NoticeTexts & typeof history;

export const filterTexts = defineTexts<FilterTexts>(file('filters'));
export type FilterTexts = typeof filters;

export const contactTexts = defineTexts<ContactTexts>(...recordTexts.files, file('contacts'));
export type ContactTexts = RecordTexts & typeof contacts;

export const inboxTexts = defineTexts<InboxTexts>(...recordTexts.files, file('inbox'));
export type InboxTexts = RecordTexts & typeof inbox;

export const knowledgeTexts = defineTexts<KnowledgeTexts>(
  ...recordTexts.files,
  ...noticeTexts.files,
  file('knowledge'),
);
export type KnowledgeTexts = RecordTexts & NoticeTexts & typeof knowledge;

export const reportTexts = defineTexts<ReportTexts>(
  ...recordTexts.files,
  ...filterTexts.files,
  file('report'),
);
export type ReportTexts = RecordTexts & FilterTexts & typeof report;

function file(name: string) {
  return (language: string) =>
    import(/* webpackChunkName: "[request]" */ `../../locales/${language}/${name}.json`);
}
