import { useStream } from 'host/ui/use-stream.ts';
import { useMemo } from 'react';
import type { Messages, Translate } from '../contract.ts';
import { useDesk } from './desk.ts';
import { frameWords, type Say } from './frame-words.ts';

/** A translator for `words` in the current language; changes identity with the language. */
export function useWords<M extends Messages>(words: { zh: M; en: { [K in keyof M]: string } }): Translate<M> {
  const { i18n } = useDesk();
  const language = useStream(i18n.language$);
  return useMemo(() => i18n.translator(words, language), [i18n, words, language]);
}

/** A translator for the frame's texts. */
export function useSay(): Say {
  return useWords(frameWords);
}
