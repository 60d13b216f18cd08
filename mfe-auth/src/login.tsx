import type { SsoProblem, SsoSession } from 'api/contract/single-sign-on';
import type { Desk, ScreenProps } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { ScreenServices, useTexts } from 'host/ui/screen.tsx';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type AuthMode, authenticate, type Credentials, type Rejection } from './authenticate.ts';
import { CodeStep } from './code-step.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import styles from './login.module.css';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordLink } from './password-link.tsx';
import { useDeskName, useServices } from './services.ts';
import { LinkAccount, Providers, SsoOnly } from './single-sign-on.tsx';
import { loginTexts } from './texts.ts';
import { useHoldWhileTyping } from './use-hold-while-typing.ts';

export const texts = [loginTexts];

const LOCAL_ALONE: NonNullable<Desk['signIn']> = { local: true, providers: [] };

/** /login and /register: two panels, selected by the address, so that the browser's back button slides, too. The covered panel is inert. */
export default function LoginScreen({ services, controls }: ScreenProps) {
  return (
    <ScreenServices services={services}>
      <Login controls={controls} />
    </ScreenServices>
  );
}

function Login({ controls }: Pick<ScreenProps, 'controls'>) {
  const t = useTexts(loginTexts);
  const { http, session, toasts, updates, desk } = useServices();
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  /** Token of a one-time link, which is removed from the address. */
  const [token, setToken] = useState(() => new URLSearchParams(hash.slice(1)).get('link'));
  const query = new URLSearchParams(search);
  const sso = query.get('sso') as SsoProblem | null;
  const ways = desk?.signIn ?? LOCAL_ALONE;
  const isLocal = ways.local || query.has('local');
  const mode: AuthMode = ways.local && pathname.endsWith('/register') ? 'sign-up' : 'sign-in';
  /** Not with a one-time link, because signing up here would create another account than the one that it is for. */
  const maySignUp = ways.local && !token;
  const name = useDeskName();
  const [challenge, setChallenge] = useState('');
  const [running, setRunning] = useState<AuthMode | null>(null);
  const isRunning = useRef(false);
  const mainId = useId();
  const main = useRef<HTMLElement>(null);
  useHoldWhileTyping(updates, main);

  useEffect(() => {
    if (token && hash) void navigate({ search }, { replace: true });
  }, [token, hash, search, navigate]);

  /** The path of the open panel; '' after the visitor has left the screen. */
  const openPath = useRef('');
  useEffect(() => {
    openPath.current = pathname;
    return () => {
      openPath.current = '';
    };
  }, [pathname]);

  const open = (next: AuthMode, username = '') =>
    navigate(next === 'sign-up' ? '/register' : '/login', { state: { username, hasMoved: true } });

  /** Resolves with the reason if the server refuses. */
  const submit = async (submitted: AuthMode, credentials: Credentials): Promise<Rejection | undefined> => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setRunning(submitted);
    try {
      const result = await authenticate(http, submitted, credentials);
      if ('rejection' in result && result.challenge) {
        if (openPath.current === pathname) setChallenge(result.challenge);
        return undefined;
      }
      if ('rejection' in result) {
        toasts.show({ kind: 'error', text: result.rejection || t('noToken') });
        return result;
      }
      const username = credentials.username.trim();
      session.signIn(result.token, username);
      if (openPath.current !== pathname) return undefined;
      if (submitted === 'sign-in') {
        void navigate('/index');
        return undefined;
      }
      toasts.show({ kind: 'success', text: t('signedUp') });
      void open('sign-in', username);
    } catch (error) {
      toasts.show({ kind: 'error', text: asFailure(error).message });
    } finally {
      isRunning.current = false;
      setRunning(null);
    }
    return undefined;
  };

  const signedIn = ({ token, username }: SsoSession) => {
    session.signIn(token, username);
    void navigate('/index');
  };
  const elsewhere = (
    <>
      {isLocal && <PasskeyButton isOpen={mode === 'sign-in'} onSignedIn={signedIn} />}
      <Providers providers={ways.providers} hasForm={isLocal} />
    </>
  );
  const problem = sso && sso !== 'link' ? t(`sso.${sso}`) : '';
  const form = (which: AuthMode) => (
    <CredentialsForm
      key={which}
      mode={which}
      isOpen={mode === which}
      hasMoved={Boolean(state?.hasMoved)}
      username={which === 'sign-in' ? (state?.username ?? '') : ''}
      isRunning={running === which}
      {...(which === 'sign-in' && { problem, children: elsewhere })}
      onSubmit={(credentials) => submit(which, credentials)}
    />
  );
  const signIn = () => {
    if (token) {
      const leave = () => setToken(null);
      return <PasswordLink token={token} onSignedIn={signedIn} onLeave={leave} />;
    }
    if (sso === 'link') return <LinkAccount username={query.get('name') ?? ''} onSignedIn={signedIn} />;
    if (challenge && mode === 'sign-in') {
      const back = (message?: string) => {
        setChallenge('');
        if (message) toasts.show({ kind: 'error', text: message });
      };
      return <CodeStep challenge={challenge} onSignedIn={signedIn} onBack={back} />;
    }
    if (isLocal) return form('sign-in');
    return <SsoOnly problem={problem}>{elsewhere}</SsoOnly>;
  };

  return (
    <main ref={main} className={styles.gate} id="main" tabIndex={-1} aria-labelledby={mainId}>
      <p className={styles.brandLine} id={mainId}>
        {desk?.logoUrl ? (
          <img className={styles.logo} src={desk.logoUrl} alt="" width="32" height="32" />
        ) : (
          <Logo />
        )}
        <span className="clip" data-desk="name">
          {name}
        </span>
      </p>
      <div className={`cluster ${styles.controls}`}>{controls}</div>
      <div className={styles.auth} data-mode={mode}>
        {signIn()}
        {ways.local && form('sign-up')}
        <div className={styles.cover}>
          <CoverSide isOpen={mode === 'sign-in'} quote={t('quoteIn')} ask={maySignUp ? t('noAccount') : ''}>
            {maySignUp && <Button label={t('toSignUp')} onClick={() => open('sign-up')} />}
          </CoverSide>
          <CoverSide isOpen={mode === 'sign-up'} quote={t('quoteUp')} ask={t('hasAccount')}>
            <Button label={t('toSignIn')} onClick={() => open('sign-in')} />
          </CoverSide>
        </div>
      </div>
    </main>
  );
}

interface CoverSideProps {
  isOpen: boolean;
  quote: string;
  ask: string;
  children: ReactNode;
}

/** Content of the cover over one of the panels, with a button to open the other. */
function CoverSide({ isOpen, quote, ask, children }: CoverSideProps) {
  return (
    <div
      className={styles.face}
      inert={!isOpen}
      aria-hidden={!isOpen || undefined}
      data-open={isOpen || undefined}
    >
      <p className={styles.quote}>{quote}</p>
      <div>
        <p>{ask}</p>
        {children}
      </div>
    </div>
  );
}

function Logo() {
  return (
    <svg className={styles.logo} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9.25 18.5V8.25h6.5M22.75 13.5v10.25h-6.5" />
    </svg>
  );
}
