import type { StarterList } from 'api/contract/answers';
import type { HostServices } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { useEffect, useState } from 'react';
import { useFrame } from '../state/chat-context.ts';
import styles from './welcome.module.css';

const STARTERS = ['starter1', 'starter2', 'starter3'] as const;

/** The empty conversation: a hint and example questions. */
export function Welcome() {
  const { t, ask, services } = useFrame();
  // Missing on hosts before 1.7.
  const { desk } = services;
  const { starters, isKnown } = useStarters();
  const shown = starters ?? STARTERS.map((key) => t(key));
  return (
    <div className={styles.welcome}>
      <div className={`quoted ${styles.hint}`}>
        <p data-desk="greeting">{desk?.greeting || t('hint')}</p>
        <p>{t('hintMore')}</p>
      </div>
      {shown.length > 0 && (
        <section
          className={styles.suggestions}
          aria-labelledby="starters"
          data-waiting={!isKnown || undefined}
        >
          <h2 id="starters">{t('suggestions')}</h2>
          <ul>
            {shown.map((starter) => (
              <li key={starter}>
                <button className="unboxed" type="button" onClick={() => ask(starter)}>
                  {starter}
                  <Icon name="arrow" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(desk?.contact || desk?.hours) && (
        <p className={styles.contact}>
          {desk.contact && <span>{desk.contact}</span>}
          {desk.hours && <span>{desk.hours}</span>}
        </p>
      )}
    </div>
  );
}

/** Example questions by language, cached because the empty page is mounted more than once. */
const startersCache = new WeakMap<HostServices, Map<string, string[]>>();

/** The example questions of administrators, or else of the server; null if there are none. Space is reserved until `isKnown`. */
function useStarters(): { starters: readonly string[] | null; isKnown: boolean } {
  const { services } = useFrame();
  const locale = services.i18n.locale();
  const set = services.desk?.starterQuestions;
  const isSet = set !== undefined && set.length > 0;
  const byLanguage = startersCache.get(services) ?? new Map<string, string[]>();
  startersCache.set(services, byLanguage);
  const [failed, setFailed] = useState('');
  const [, setCount] = useState(0);
  useEffect(() => {
    if (isSet) return;
    const unmounted = new AbortController();
    services.http.get<StarterList>('/api/starters', { signal: unmounted.signal }).then(
      ({ data }) => {
        byLanguage.set(locale, data.starters);
        if (!unmounted.signal.aborted) setCount((count) => count + 1);
      },
      () => unmounted.signal.aborted || setFailed(locale),
    );
    return () => unmounted.abort();
  }, [services, byLanguage, locale, isSet]);
  if (isSet) return { starters: set, isKnown: true };
  const starters = byLanguage.get(locale) ?? null;
  return { starters, isKnown: starters !== null || failed === locale };
}
