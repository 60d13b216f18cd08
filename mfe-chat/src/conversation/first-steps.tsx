import { useQuery } from '@tanstack/react-query';
import type { SettingsAccess, FirstSteps as Steps } from 'api/contract/settings';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChat } from '../state/chat-context.ts';
import styles from './first-steps.module.css';

const DISMISSED = 'first steps dismissed';
const STEPS = ['document', 'question', 'named'] as const satisfies (keyof Steps)[];
const ADDRESSES = { document: '/knowledge', question: null, named: '/settings' } as const;

/**
 * Leads the administrator of a new desk through its set-up, in place of the greeting (`children`): a small screen has no room for both. A
 * step is ticked when its result exists on the server. The card disappears when all are ticked or it is dismissed.
 * Not in the file of the greeting, which is in the first chunk: the cache of queries that this needs would be loaded before the text field.
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
