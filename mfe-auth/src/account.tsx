import type { SecondFactorState } from 'api/contract/accounts';
import type { ConfirmOutcome } from 'api/contract/single-sign-on';
import type { ScreenProps } from 'host/contract';
import { useAction } from 'host/ui/use-action.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import styles from './account.module.css';
import { createAccountCalls } from './account-calls.ts';
import { createAccountData } from './account-data.ts';
import { accountTexts } from './account-texts.ts';
import { DataSection } from './data-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { loginTexts } from './login-texts.ts';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { useHoldWhileTyping } from './use-hold-while-typing.ts';

export const texts = [accountTexts, loginTexts];

/** /account: sessions, data export and import, password, and account deletion. Shown after the host's guard has allowed it. */
export default function AccountScreen({ services, controls }: ScreenProps) {
  const { desk, http, i18n, session, toasts, updates } = services;
  const main = useRef<HTMLElement>(null);
  useHoldWhileTyping(updates, main);
  const t = useTranslate(i18n, accountTexts);
  const tField = useTranslate(i18n, loginTexts);
  const calls = useMemo(() => createAccountCalls(http), [http]);
  const data = useMemo(() => createAccountData(http), [http]);
  const navigate = useNavigate();
  const username = useStream(session.username$);
  const security = useAction();
  const { run } = security;
  const [secondFactor, setSecondFactor] = useState<SecondFactorState | null>(null);
  const loadSecurity = useCallback(
    () => void run(async (signal) => setSecondFactor(await calls.secondFactor(signal))),
    [run, calls],
  );
  useEffect(loadSecurity, [loadSecurity]);
  // While it is not known, most accounts have one.
  const hasPassword = secondFactor?.hasPassword ?? true;

  const { pathname, search } = useLocation();
  /** Set after the return from the provider; it does not stay in the address. */
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
      <header className="head">
        <h1>{t('title')}</h1>
        <span className="count always">{username}</span>
        <span className="space" />
        <div className="cluster">{controls}</div>
      </header>
      <div className={`body ${styles.account}`}>
        <div className={styles.main}>
          <SessionsSection
            key={passwordChanges}
            calls={calls}
            t={t}
            locale={i18n.locale()}
            toasts={toasts}
            onEndedAll={() => leave('/login', t('endedAll'))}
          />
          <DataSection data={data} updates={updates} t={t} />
          <DeleteAccount
            calls={calls}
            t={t}
            username={username}
            hasPassword={hasPassword}
            confirmed={confirmed}
            onDeleted={() => leave('/index', t('delete.done'))}
          />
        </div>
        <div className={styles.side}>
          <PasswordSection
            calls={calls}
            t={t}
            tField={tField}
            username={username}
            hasPassword={hasPassword}
            onChanged={() => {
              setPasswordChanges((before) => before + 1);
              toasts.show({ kind: 'success', text: t('password.changed') });
            }}
          />
          <SecondFactorSection
            calls={calls}
            t={t}
            tField={tField}
            locale={i18n.locale()}
            desk={desk?.name || tField('product')}
            username={username}
            state={secondFactor}
            problem={security.failure?.message ?? ''}
            load={loadSecurity}
            onChanged={(text) => toasts.show({ kind: 'success', text })}
          />
        </div>
      </div>
    </main>
  );
}
