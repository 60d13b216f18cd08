import type { I18n, Messages, Translate } from 'host/contract';
import { useMemo, useSyncExternalStore } from 'react';

/** The translator of `messages` in the current language: another function for another language, so that it can be a dependency. */
export function useTranslate<M extends Messages>(
  i18n: I18n,
  messages: { zh: M; en: { [K in keyof M]: string } },
): Translate<M> {
  const store = useMemo(() => {
    let language = i18n.language$.value;
    let translate = i18n.translator(messages);
    return {
      subscribe(notify: () => void) {
        const subscription = i18n.language$.subscribe(notify);
        return () => subscription.unsubscribe();
      },
      read() {
        if (language !== i18n.language$.value) {
          language = i18n.language$.value;
          translate = i18n.translator(messages);
        }
        return translate;
      },
    };
  }, [i18n, messages]);
  return useSyncExternalStore(store.subscribe, store.read);
}
