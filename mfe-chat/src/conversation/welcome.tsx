import { useQuery } from '@tanstack/react-query';
import type { StarterList } from 'api/contract/answers';
import type { SettingsAccess, FirstSteps as Steps } from 'api/contract/settings';
import type { HostServices } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChat, useFrame } from '../state/chat-context.ts';
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

const DISMISSED = 'first steps dismissed';
const STEPS = ['document', 'question', 'named'] as const satisfies (keyof Steps)[];
const ADDRESSES = { document: '/knowledge', question: null, named: '/settings' } as const;

/**
 * Leads the administrator of a new desk through its set-up, in place of the greeting (`children`): a small screen has no room for both. A
 * step is ticked when its result exists on the server. The card disappears when all are ticked or it is dismissed.
 */
export function FirstSteps({ children }: { children: ReactNode }) {
  const { services, chat, t } = useChat();
  const { http, session, storage } = services;
  const username = useStream(session.username$);
  const isSignedIn = useStream(services.token$) !== '';
  const [isDismissed, setIsDismissed] = useState(() => storage.get(DISMISSED) === true);
  const { data } = useQuery(
    {
      queryKey: ['first steps', username],
      queryFn: async ({ signal }) =>
        (await http.get<SettingsAccess>('/api/settings/access', { signal })).data.firstSteps ?? null,
      enabled: isSignedIn && !isDismissed,
      staleTime: 0,
      retry: false,
    },
    chat.queries,
  );
  if (!isSignedIn || !data || isDismissed || STEPS.every((step) => data[step])) return children;
  const dismiss = () => {
    storage.set(DISMISSED, true);
    setIsDismissed(true);
    focusQuestion();
  };
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <header className="line spread">
        <h2 className="type-read strong" id="first-steps">
          {t('steps.title')}
        </h2>
        <IconButton icon="close" label={t('steps.dismiss')} hasTitle isSmall onClick={dismiss} />
      </header>
      <p className="type-small ink-2">{t('steps.about', { name: username })}</p>
      <ol>
        {STEPS.map((step) => {
          const address = ADDRESSES[step];
          return (
            <li key={step} data-done={data[step] || undefined}>
              <Icon name={data[step] ? 'ok' : 'arrow'} />
              {address ? (
                <Link className="type-read" to={address}>
                  {t(`steps.${step}`)}
                </Link>
              ) : (
                <button className="link type-read" type="button" onClick={focusQuestion}>
                  {t(`steps.${step}`)}
                </button>
              )}
              <span className="sr">{t(data[step] ? 'steps.done' : 'steps.open')}</span>
              <small className="type-small ink-2">{t(`steps.${step}.about`)}</small>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function focusQuestion(): void {
  document.querySelector<HTMLElement>('form textarea')?.focus();
}
