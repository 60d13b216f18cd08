import { useStream } from 'host/ui/use-stream.ts';
import { useMemo } from 'react';
import type { Messages, Translate } from '../contract.ts';
import { type FrameTranslate, frameTexts } from './frame-texts.ts';
import { useShell } from './shell.ts';

/** A translator for `texts` in the current language; changes identity with the language. */
export function useTranslate<M extends Messages>(texts: {
  zh: M;
  en: { [K in keyof M]: string };
}): Translate<M> {
  const { i18n } = useShell();
  const language = useStream(i18n.language$);
  return useMemo(() => i18n.translator(texts, language), [i18n, texts, language]);
}

/** A translator for the frame's texts. */
export function useFrameTranslate(): FrameTranslate {
  return useTranslate(frameTexts);
}
