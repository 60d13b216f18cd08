import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../locales/zh/login.json';

/** Texts of /login and /register. */
export const loginTexts = defineTexts<LoginTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../locales/${language}/login.json`),
);
export type LoginTexts = typeof zh;
