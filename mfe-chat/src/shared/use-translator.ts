import type { HostServices } from 'host/contract';
import { useStream } from 'host/ui/use-stream.ts';
import { useMemo } from 'react';
import { useFrame } from './frame-context.ts';

export type Translator = HostServices['i18n']['translator'];

/**
 * Binds texts to the current language. The translator and its functions change identity with the language, so that both work as
 * dependencies of effects and memoised values.
 */
export function useTranslator(i18n: HostServices['i18n']): Translator {
  const language = useStream(i18n.language$);
  const bound = useMemo(() => {
    const translator: Translator = (texts) => {
      const translate = i18n.translator(texts);
      return (key, values) => translate(key, values);
    };
    return { language, translator };
  }, [i18n, language]);
  return bound.translator;
}

/** The texts of one part of the screen in the current language. */
export function useTranslate<M extends Parameters<Translator>[0]['zh']>(texts: {
  zh: M;
  en: { [K in keyof M]: string };
}) {
  const { translator } = useFrame();
  return useMemo(() => translator(texts), [translator, texts]);
}
