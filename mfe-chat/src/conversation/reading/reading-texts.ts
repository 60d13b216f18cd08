import { defineTexts } from 'host/ui/texts.ts';
import type reading from '../../../locales/zh/reading.json';
import type shared from '../../../locales/zh/shared.json';

/** Texts of a conversation that can only be read. */
export const readingTexts = defineTexts<typeof reading>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/reading.json`),
);

/** Texts of the screen that shows a conversation through a link. */
export const sharedTexts = defineTexts<typeof shared>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/shared.json`),
);
