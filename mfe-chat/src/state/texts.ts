import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/chat.json';
import { type FrameTexts, frameTexts } from './frame-texts.ts';

/** Texts of the deferred parts. */
export const chatTexts = defineTexts<ChatTexts>(
  ...frameTexts.files,
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/chat.json`),
);
export type ChatTexts = FrameTexts & typeof zh;
