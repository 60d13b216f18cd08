import type { SecondFactorState } from 'api/contract/accounts';
import type { ConfirmOutcome } from 'api/contract/single-sign-on';
import type { ScreenProps } from 'host/contract';
import { ScreenHead, ScreenServices, useTexts } from 'host/ui/screen.tsx';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import styles from './account.module.css';
import { DataSection } from './data-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { useServices, useUsername } from './services.ts';
import { SessionsSection } from './sessions-section.tsx';
import { accountTexts, loginTexts } from './texts.ts';
import { useHoldWhileTyping } from './use-hold-while-typing.ts';
import { useRead } from './use-read.ts';

export const texts = [accountTexts, loginTexts];

/** /account: sessions, data export and import, password, and account deletion. Shown after the host's guard has allowed it. */
export default function AccountScreen({ services, controls }: ScreenProps) {
  return (
    <ScreenServices services={services} controls={controls}>
      <Account />
    </ScreenServices>
  );
}

function Account() {
  const t = useTexts(accountTexts);
  const { http, session, toasts, updates } = useServices();
  const main = useRef<HTMLElement>(null);
  useHoldWhileTyping(updates, main);
  const navigate = useNavigate();
  const username = useUsername();
  const security = useRead(
    async (signal) => (await http.get<SecondFactorState>('/admin/second-factor', { signal })).data,
  );
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
