import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/settings.json';

export const settingsTexts = defineTexts<SettingsTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/settings.json`),
);
export type SettingsTexts = typeof zh;
