import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/people.json';

export const peopleTexts = defineTexts<PeopleTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/people.json`),
);
export type PeopleTexts = typeof zh;
