import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/audit.json';

export const auditTexts = defineTexts<AuditTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/audit.json`),
);
export type AuditTexts = typeof zh;
