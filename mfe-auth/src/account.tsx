import type { AdminReply, SecondFactorState, SessionInfo } from 'api/contract/accounts';
import type { ConfirmOutcome } from 'api/contract/single-sign-on';
import { Button } from 'host/ui/button.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Problem } from 'host/ui/problem.tsx';
import { ScreenHead, useFormats, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import styles from './account.module.css';
import { DataSection } from './data-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { FormError } from './form-error.tsx';
import { PasswordField, textsIn } from './login-fields.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { accepted, screenOf, useDesk, useRead, useServices, useUsername } from './services.tsx';
import { accountTexts, loginTexts } from './texts.ts';
import { useHoldWhileTyping } from './use-hold-while-typing.ts';

export const texts = [accountTexts, loginTexts];

/** /account: sessions, data export and import, password, and account deletion. Shown after the host's guard has allowed it. */
export default screenOf(Account, accountTexts);

function Account() {
  const { t, session, toasts, updates } = useDesk(accountTexts);
  const main = useRef<HTMLElement>(null);
  useHoldWhileTyping(updates, main);
  const navigate = useNavigate();
  const username = useUsername();
  const security = useRead<SecondFactorState>('/admin/second-factor');
  // Assumed until the server has answered, because most accounts have a password.
  const hasPassword = security.data?.hasPassword ?? true;

  const { pathname, search } = useLocation();
  /** Set in the address after the return from the provider, and removed from it at once. */
  const [confirmed] = useState(() => new URLSearchParams(search).get('confirm') as ConfirmOutcome | null);
  useEffect(() => {
    if (confirmed && search) void navigate(pathname, { replace: true });
  }, [confirmed, search, pathname, navigate]);

  // A password change signs out the other sessions: the list is loaded again.
  const [passwordChanges, setPasswordChanges] = useState(0);

  /** The server has already ended the session. */
  const leave = (path: string, text: string) => {
    session.forget();
    void navigate(path);
    toasts.show({ kind: 'success', text });
  };

  return (
    <main ref={main} className="page" id="main" tabIndex={-1}>
      <ScreenHead title={t('title')} aside={<span className="count always">{username}</span>} />
      <div className={`body ${styles.account}`}>
        <div className={styles.main}>
          <SessionsSection key={passwordChanges} onEndedAll={() => leave('/login', t('endedAll'))} />
          <DataSection />
          <DeleteAccount
            hasPassword={hasPassword}
            confirmed={confirmed}
            onDeleted={() => leave('/index', t('delete.done'))}
          />
        </div>
        <div className={styles.side}>
          <PasswordSection
            hasPassword={hasPassword}
            onChanged={() => {
              setPasswordChanges((before) => before + 1);
              toasts.show({ kind: 'success', text: t('password.changed') });
            }}
          />
          <SecondFactorSection
            security={security}
            onChanged={(text) => {
              security.again();
              toasts.show({ kind: 'success', text });
            }}
          />
        </div>
      </div>
    </main>
  );
}

/** The active sessions, most recently used first, with buttons to end them. */
function SessionsSection({ onEndedAll }: { onEndedAll(): void }) {
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

interface PasswordSectionProps {
  /** An account without a password signs in at a provider. */
  hasPassword: boolean;
  onChanged(): void;
}

const MIN = 8;
const MAX = 128;

/** Form for a new password. Shows the rules and the strength beforehand and the server's rejection afterwards. */
function PasswordSection({ hasPassword, onChanged }: PasswordSectionProps) {
  const { t, http } = useDesk(accountTexts);
  const username = useUsername();
  const { isBusy, failure, run } = useAction();
  const [isOutOfBounds, setIsOutOfBounds] = useState(false);
  // Number of changed passwords; as `key` it replaces the field, which then shows no strength.
  const [changes, setChanges] = useState(0);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { current, next } = textsIn(form, 'current', 'next');
    const { length } = [...next];
    if (length < MIN || length > MAX) return setIsOutOfBounds(true);
    void run(async () => {
      await accepted(http.post<AdminReply<never>>('/admin/password', { current, next }));
      form.reset();
      setChanges(changes + 1);
      onChanged();
    });
  };

  return (
    <Section title={t('password')} className="">
      {hasPassword ? (
        <form className="stack gap-s4" onSubmit={submit} aria-label={t('password')}>
          {/* Tells password managers the account of this password. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordField label={t('password.current')} name="current" />
          <PasswordField
            key={changes}
            label={t('password.next')}
            name="next"
            isNew
            note={t('password.rule')}
            fault={isOutOfBounds ? t('password.rule') : ''}
            onText={() => setIsOutOfBounds(false)}
          />
          <FormError text={failure?.message ?? ''} />
          <Button
            look="primary"
            label={t(isBusy ? 'password.changing' : 'password')}
            type="submit"
            isOff={isBusy}
          />
        </form>
      ) : (
        <p className="mb-s4 type-small ink-2">{t('password.none')}</p>
      )}
    </Section>
  );
}
