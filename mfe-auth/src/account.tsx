import type { SecondFactorState } from 'api/contract/accounts';
import type { ConfirmOutcome } from 'api/contract/single-sign-on';
import { ScreenHead } from 'host/ui/screen.tsx';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import styles from './account.module.css';
import { DataSection } from './data-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { screenOf, useDesk, useRead, useUsername } from './services.tsx';
import { SessionsSection } from './sessions-section.tsx';
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
