import { defineTexts } from 'host/ui/texts.ts';
import type zh from '../../../locales/zh/picture.json';

/** Texts of the dialog that shows pictures. */
export const pictureTexts = defineTexts<PictureTexts>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../../locales/${language}/picture.json`),
);
export type PictureTexts = typeof zh;
