import { useTranslate as useTranslateWith } from 'host/ui/use-translate.ts';
import type { Messages, Translate } from '../contract.ts';
import { type FrameTranslate, frameTexts } from './frame-texts.ts';
import { useShell } from './shell.ts';

/** A translator for `texts` in the current language; changes identity with the language. */
export function useTranslate<M extends Messages>(texts: {
  zh: M;
  en: { [K in keyof M]: string };
}): Translate<M> {
  return useTranslateWith(useShell().i18n, texts);
}

/** A translator for the frame's texts. */
export function useFrameTranslate(): FrameTranslate {
  return useTranslate(frameTexts);
}
