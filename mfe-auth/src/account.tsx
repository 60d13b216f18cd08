import type { ScreenProps } from 'host/contract';
import { useStream } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
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
            onDeleted={() => leave('/index', t('delete.done'))}
          />
        </div>
        <div className={styles.side}>
          <PasswordSection
            calls={calls}
            t={t}
            tField={tField}
            username={username}
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
            onChanged={(text) => toasts.show({ kind: 'success', text })}
          />
        </div>
      </div>
    </main>
  );
}
