import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../locales/zh/account.json';

export const accountTexts = defineTexts<AccountTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../locales/${language}/account.json`),
);
export type AccountTexts = typeof zh;
