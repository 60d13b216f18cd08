import { useEffect, useMemo, useState } from 'react';
import type { BehaviorSubject } from 'rxjs';
import type { AnyTexts, Texts, Translate } from './texts.ts';
import { useStream } from './use-stream.ts';

/** The part of `services.i18n` that the hooks use. */
interface I18n<L extends string> {
  language$: BehaviorSubject<L>;
  translator<M extends object>(texts: AnyTexts<M>, language?: L): Translate<M>;
  load(texts: Texts<object>, language?: L): Promise<void>;
}

/** A translator for `texts` in the current language. Changes identity with the language, so that it can be a dependency. */
export function useTranslate<M extends object, L extends string>(
  i18n: I18n<L>,
  texts: AnyTexts<M>,
): Translate<M> {
  const language = useStream(i18n.language$);
  return useMemo(() => i18n.translator(texts, language), [i18n, texts, language]);
}

/** A translator for `texts` in the given language; in the current one until its texts are loaded. */
export function useTranslateIn<M extends object, L extends string>(
  i18n: I18n<L>,
  texts: Texts<M>,
  language: L,
): Translate<M> {
  const current = useStream(i18n.language$);
  const [loaded, setLoaded] = useState(current);
  useEffect(() => {
    let isGone = false;
    i18n.load(texts, language).then(
      () => isGone || setLoaded(language),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [i18n, texts, language]);
  const shown = loaded === language ? language : current;
  return useMemo(() => i18n.translator(texts, shown), [i18n, texts, shown]);
}
