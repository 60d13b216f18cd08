import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../locales/zh/test-form.json';

/** Texts of /test. The three messages are required by the specification. */
export const testFormTexts = defineTexts<TestFormTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../locales/${language}/test-form.json`),
);
export type TestFormTexts = typeof zh;
