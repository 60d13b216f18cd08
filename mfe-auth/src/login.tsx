import type { SignInReply } from 'api/contract/accounts';
import type { SsoProblem, SsoSession } from 'api/contract/single-sign-on';
import type { Desk, Http, ScreenProps } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { asFailure } from 'host/ui/failure.ts';
import { ScreenServices, useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import styles from './login.module.css';
import { CodeField, PasswordField, textsIn, UsernameField } from './login-fields.tsx';
import { GuestLink, Panel } from './panel.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordLink } from './password-link.tsx';
import { useDesk, useDeskName } from './services.tsx';
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
  const { t, http, session, toasts, updates, desk } = useDesk(loginTexts);
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
      <p className={`quoted ${styles.quote}`}>{quote}</p>
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

interface CodeStepProps {
  /** The challenge from the reply to the password. */
  challenge: string;
  onSignedIn(session: SsoSession): void;
  /** Returns to the password; `message` says why, unless the visitor chose to. */
  onBack(message?: string): void;
}

/** The second step of a sign-in: a code of an authenticator app, or a recovery code. */
function CodeStep({ challenge, onSignedIn, onBack }: CodeStepProps) {
  const { t, http } = useDesk(loginTexts);
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, failure, run } = useAction();
  useEffect(() => {
    if (!isBusy) (form.current?.elements.namedItem('code') as HTMLElement | null)?.focus();
  }, [isBusy]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { code } = textsIn(event.currentTarget, 'code');
    void run(async (signal) => {
      const body = { challenge, code };
      const { data } = await http.post<SignInReply<SsoSession>>('/admin/login/code', body, { signal });
      if (data.data) onSignedIn(data.data);
      else if (data.challenge) throw new Error(data.msg);
      else onBack(data.msg);
    });
  };

  return (
    <Panel ref={form} title={t('code.title')} isBusy={isBusy} onSubmit={submit}>
      <p className="type-small ink-2">{t('code.about')}</p>
      <CodeField fault={failure?.message} />
      <Button look="primary" label={t(isBusy ? 'signingIn' : 'signIn')} type="submit" isOff={isBusy} />
      <Button look="bare" label={t('code.back')} onClick={() => onBack()} />
    </Panel>
  );
}

interface CredentialsFormProps {
  mode: AuthMode;
  isOpen: boolean;
  /** Whether the visitor came from the other panel; then the focus moves here. */
  hasMoved: boolean;
  /** The user name typed into the other panel. */
  username: string;
  isRunning: boolean;
  /** Shown above the fields: why a sign-in elsewhere failed. */
  problem?: string;
  /** Other ways to sign in, below the button. */
  children?: ReactNode;
  /** Resolves with the reason if the server refuses. */
  onSubmit(credentials: Credentials): Promise<Rejection | undefined>;
}

/**
 * The form of one panel. It has field names and autocomplete, and is read on submit, so that values filled in by a password manager count
 * even if it fires no event. While covered it is inert.
 */
function CredentialsForm(props: CredentialsFormProps) {
  const t = useTexts(loginTexts);
  const { mode, isOpen, hasMoved, username, isRunning, problem, children, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState<Rejection>();
  const isSignIn = mode === 'sign-in';

  useEffect(() => {
    const fields = form.current?.elements;
    if (!isOpen || !fields) return;
    const name = fields.namedItem('username') as HTMLInputElement;
    const password = fields.namedItem('password') as HTMLInputElement;
    if (username) name.value = username;
    if (hasMoved) (name.value ? password : name).focus({ preventScroll: true });
  }, [isOpen, hasMoved, username]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setRefused(await onSubmit(textsIn(event.currentTarget, 'username', 'password')));
  };
  // In an effect, so that the text that describes the field is in the page before the field gets the focus.
  useEffect(() => {
    if (refused?.field) (form.current?.elements.namedItem(refused.field) as HTMLElement | null)?.focus();
  }, [refused]);
  const faultOf = (field: Rejection['field']) => (refused?.field === field ? refused?.rejection : '');

  const name = isSignIn ? 'signIn' : 'signUp';
  return (
    <Panel
      ref={form}
      className={isSignIn ? styles.signIn : styles.signUp}
      title={t(name)}
      above={t(`${name}.above`)}
      isBusy={isRunning}
      problem={problem}
      aria-hidden={!isOpen || undefined}
      inert={!isOpen}
      method="post"
      action={deskAddress(isSignIn ? '/chatbot/login' : '/chatbot/register')}
      onSubmit={submit}
    >
      <UsernameField
        autoComplete={isSignIn ? 'username webauthn' : 'username'}
        note={!isSignIn && t('rule.username')}
        fault={faultOf('username')}
      />
      <PasswordField isNew={!isSignIn} fault={faultOf('password')} />
      <Button
        look="primary"
        label={isRunning ? t(isSignIn ? 'signingIn' : 'signingUp') : t(name)}
        type="submit"
        isOff={isRunning}
      />
      {children}
      {isSignIn ? <GuestLink /> : <p className={styles.aside}>{t('guestDataNote')}</p>}
    </Panel>
  );
}

type AuthMode = 'sign-in' | 'sign-up';

interface Credentials {
  username: string;
  password: string;
}

/** Why the server did not sign the visitor in ('' without a message), and which field it rejected. */
interface Rejection {
  rejection: string;
  field?: SignInReply<string>['field'];
  /** Set if the password was correct and a code is needed, too. */
  challenge?: SignInReply<string>['challenge'] | undefined;
}

const ADDRESS: Record<AuthMode, string> = { 'sign-in': '/admin/login', 'sign-up': '/admin/register' };

/** Trims both fields; the server validates them. Rejects with `HttpFailure` when the call fails. */
export async function authenticate(
  http: Http,
  mode: AuthMode,
  { username, password }: Credentials,
): Promise<{ token: string } | Rejection> {
  const body = { username: username.trim(), password: password.trim() };
  const { data: reply } = await http.post<SignInReply<string>>(ADDRESS[mode], body);
  if (reply.code === 1 && reply.data) return { token: reply.data };
  return { rejection: reply.code === 1 ? '' : reply.msg, field: reply.field, challenge: reply.challenge };
}
