import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../locales/zh/login.json';

export const loginTexts = defineTexts<LoginTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../locales/${language}/login.json`),
);
export type LoginTexts = typeof zh;
