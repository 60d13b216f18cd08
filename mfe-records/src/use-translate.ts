import type { I18n, Messages, Translate } from 'host/contract';
import { useStream } from 'host/ui/use-stream.ts';
import { useMemo } from 'react';

/** A translator for `messages` in the current language. Changes identity with the language, so that it can be a dependency. */
export function useTranslate<M extends Messages>(
  i18n: I18n,
  messages: { zh: M; en: { [K in keyof M]: string } },
): Translate<M> {
  const language = useStream(i18n.language$);
  return useMemo(() => i18n.translator(messages, language), [i18n, messages, language]);
}
