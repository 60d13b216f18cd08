import { defineTexts } from 'host/ui/texts.ts';
import type chat from '../../locales/zh/chat.json';
import type first from '../../locales/zh/first.json';

/** Texts of the first chunk, which has no list of all files. */
export const frameTexts = defineTexts<FrameTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/first.json`),
);
export type FrameTexts = typeof first;

/** Texts of the deferred parts. */
export const chatTexts = defineTexts<ChatTexts>(
  ...frameTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/chat.json`),
);
export type ChatTexts = FrameTexts & typeof chat;
