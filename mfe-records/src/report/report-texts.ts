import type { Translate } from 'host/contract';
import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/report.json';
import type { DayFormat } from '../history/filters/days.ts';

export const reportTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/report.json`),
);
export type ReportTranslate = Translate<typeof zh>;

/** Translator and formatters used by all parts of the report. */
export interface ReportTexts {
  t: ReportTranslate;
  days: DayFormat;
  numbers: Intl.NumberFormat;
}
