import { useMemo } from 'react';
import type { BehaviorSubject } from 'rxjs';
import { useStream } from './use-stream.ts';

type Language = 'zh' | 'en';
type Messages = Readonly<Record<string, string>>;
type Texts<M extends Messages> = { zh: M; en: { [K in keyof M]: string } };
type Translate<M extends Messages> = (
  key: keyof M & string,
  values?: Record<string, string | number>,
) => string;

/** What the hook needs of `services.i18n`. */
interface I18n {
  language$: BehaviorSubject<Language>;
  translator<M extends Messages>(texts: Texts<M>, language?: Language): Translate<M>;
}

/** A translator for `texts` in the current language. Changes identity with the language, so that it can be a dependency. */
export function useTranslate<M extends Messages>(i18n: I18n, texts: Texts<M>): Translate<M> {
  const language = useStream(i18n.language$);
  return useMemo(() => i18n.translator(texts, language), [i18n, texts, language]);
}
