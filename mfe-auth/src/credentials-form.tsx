import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { AuthMode, Credentials, Rejection } from './authenticate.ts';
import styles from './login.module.css';
import { PasswordField, textsIn, UsernameField } from './login-fields.tsx';
import { GuestLink, Panel } from './panel.tsx';
import { loginTexts } from './texts.ts';

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
export function CredentialsForm(props: CredentialsFormProps) {
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
        aria-disabled={isRunning || undefined}
      />
      {children}
      {isSignIn ? <GuestLink /> : <p className={styles.aside}>{t('guestDataNote')}</p>}
    </Panel>
  );
}
