import type { SessionInfo } from 'api/contract/accounts';
import type { Toasts, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { formatTime } from 'host/ui/format-date.ts';
import { Problem } from 'host/ui/problem.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import styles from './account.module.css';
import type { AccountCalls } from './account-calls.ts';
import type { AccountTexts } from './account-texts.ts';

interface SessionsSectionProps {
  calls: AccountCalls;
  t: Translate<AccountTexts>;
  locale: string;
  toasts: Toasts;
  onEndedAll(): void;
}

type Load =
  | { status: 'loading' }
  | { status: 'failed'; message: string }
  | { status: 'ready'; sessions: SessionInfo[] };

/** The active sessions, most recently used first, with buttons to end them. */
export function SessionsSection({ calls, t, locale, toasts, onEndedAll }: SessionsSectionProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const [load, setLoad] = useState<Load>({ status: 'loading' });
  const [ending, setEnding] = useState('');

  const read = useCallback(
    async (signal: AbortSignal) => {
      setLoad({ status: 'loading' });
      try {
        const sessions = await calls.sessions(signal);
        if (!signal.aborted) setLoad({ status: 'ready', sessions: newestFirst(sessions) });
      } catch (error) {
        if (!signal.aborted) setLoad({ status: 'failed', message: asFailure(error).message });
      }
    },
    [calls],
  );
  useEffect(() => {
    const controller = new AbortController();
    void read(controller.signal);
    return () => controller.abort();
  }, [read]);

  const { isBusy, run } = useAction({ toasts });
  const end = (id: string, action: () => Promise<void>) => {
    if (!isBusy) setEnding(id);
    return run(action);
  };
  const endOne = (session: SessionInfo) =>
    end(session.id, async () => {
      await calls.endSession(session.id);
      setLoad((was) =>
        was.status === 'ready'
          ? { ...was, sessions: was.sessions.filter(({ id }) => id !== session.id) }
          : was,
      );
      title.current?.focus();
      toasts.show({ kind: 'success', text: t('ended') });
    });
  const endAll = () =>
    end('all', async () => {
      await calls.endAllSessions();
      onEndedAll();
    });

  return (
    <Section
      title={t('sessions')}
      titleRef={title}
      aside={
        load.status === 'ready' && (
          <span className="quiet num">{t('sessions.count', { count: load.sessions.length })}</span>
        )
      }
    >
      {load.status === 'loading' && (
        <Skeleton className={styles.skeleton} label={t('sessions.loading')} lines={['third', 'most']} />
      )}
      {load.status === 'failed' && (
        <Problem
          level={3}
          title={t('sessions.failed')}
          message={load.message}
          retryLabel={t('retry')}
          onRetry={() => read(new AbortController().signal)}
        />
      )}
      {load.status === 'ready' && (
        <ul className="rows roomy mb-s4">
          {load.sessions.map((session) => {
            const device = session.device || t('unknownDevice');
            return (
              <li key={session.id}>
                <div>
                  <b>
                    {device}
                    {session.current && <span className="tag accent">{t('current')}</span>}
                  </b>
                  <p className="num">
                    <span>{t('lastUsed', { time: formatTime(session.lastUsedAt, locale) })}</span>
                    <span>{t('created', { time: formatTime(session.createdAt, locale) })}</span>
                  </p>
                </div>
                {!session.current && (
                  <Button
                    look="small"
                    label={t('end')}
                    aria-label={t('end.of', { device })}
                    aria-disabled={(isBusy && ending === session.id) || undefined}
                    onClick={() => endOne(session)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button
        label={t('endAll')}
        aria-disabled={(isBusy && ending === 'all') || undefined}
        onClick={endAll}
      />
    </Section>
  );
}

function newestFirst(sessions: SessionInfo[]): SessionInfo[] {
  const rank = (session: SessionInfo) => (session.current ? '9' : session.lastUsedAt);
  return [...sessions].sort((a, b) => rank(b).localeCompare(rank(a)));
}
