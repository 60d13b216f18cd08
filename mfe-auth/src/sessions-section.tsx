import type { AdminReply, SessionInfo } from 'api/contract/accounts';
import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Problem } from 'host/ui/problem.tsx';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useRef, useState } from 'react';
import styles from './account.module.css';
import { accepted, useRead, useServices } from './services.tsx';
import { accountTexts } from './texts.ts';

/** The active sessions, most recently used first, with buttons to end them. */
export function SessionsSection({ onEndedAll }: { onEndedAll(): void }) {
  const t = useTexts(accountTexts);
  const { locale } = useFormats();
  const { http, toasts } = useServices();
  const title = useRef<HTMLHeadingElement>(null);
  const { data, setData, failure, again } = useRead<{ sessions: SessionInfo[] }>('/admin/sessions');
  const sessions = failure || !data ? undefined : newestFirst(data.sessions);
  const [ending, setEnding] = useState('');
  const { isBusy, run } = useAction({ toasts });
  const end = (id: string, action: () => Promise<void>) => {
    if (!isBusy) setEnding(id);
    return run(action);
  };
  const endOne = (session: SessionInfo) =>
    end(session.id, async () => {
      await accepted(http.delete<AdminReply<never>>(`/admin/sessions/${encodeURIComponent(session.id)}`));
      setData((now) => now && { sessions: now.sessions.filter(({ id }) => id !== session.id) });
      title.current?.focus();
      toasts.show({ kind: 'success', text: t('ended') });
    });
  const endAll = () =>
    end('all', async () => {
      await accepted(http.delete<AdminReply<never>>('/admin/sessions'));
      onEndedAll();
    });

  return (
    <Section
      title={t('sessions')}
      titleRef={title}
      aside={sessions && <span className="quiet num">{t('sessions.count', { count: sessions.length })}</span>}
    >
      {!sessions && !failure && (
        <Skeleton className={styles.skeleton} label={t('sessions.loading')} lines={['third', 'most']} />
      )}
      {failure && (
        <Problem level={3} title={t('sessions.failed')} message={failure.message} onRetry={again} />
      )}
      {sessions && (
        <ul className="rows roomy mb-s4">
          {sessions.map((session) => {
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
                    isOff={isBusy && ending === session.id}
                    onClick={() => endOne(session)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      )}
      <Button label={t('endAll')} isOff={isBusy && ending === 'all'} onClick={endAll} />
    </Section>
  );
}

function newestFirst(sessions: SessionInfo[]): SessionInfo[] {
  const rank = (session: SessionInfo) => (session.current ? '9' : session.lastUsedAt);
  return [...sessions].sort((a, b) => rank(b).localeCompare(rank(a)));
}
