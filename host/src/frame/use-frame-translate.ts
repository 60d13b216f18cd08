import { useTranslate } from 'host/ui/use-translate.ts';
import { type FrameTranslate, frameTexts } from './frame-texts.ts';
import { useShell } from './shell.ts';

/** A translator for the frame's texts in the current language; changes identity with the language. */
export function useFrameTranslate(): FrameTranslate {
  return useTranslate(useShell().i18n, frameTexts);
}
