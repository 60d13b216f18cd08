import type { Translate } from 'host/contract';
import { deskAddress } from 'host/ui/desk-address.ts';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { AuthMode, Credentials, Rejection } from './authenticate.ts';
import { Field, textsIn } from './field.tsx';
import styles from './login.module.css';
import type { LoginTexts } from './login-texts.ts';
import { PasswordField } from './password-field.tsx';

interface CredentialsFormProps {
  mode: AuthMode;
  isOpen: boolean;
  /** The visitor switched from the other panel, so that the focus moves here. */
  hasMoved: boolean;
  /** Copied from the other panel. */
  username: string;
  isRunning: boolean;
  t: Translate<LoginTexts>;
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
  const { mode, isOpen, hasMoved, username, isRunning, t, problem, children, onSubmit } = props;
  const id = useId();
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
  // After the text below the field is there, which describes it.
  useEffect(() => {
    if (refused?.field) (form.current?.elements.namedItem(refused.field) as HTMLElement | null)?.focus();
  }, [refused]);
  const problemOf = (field: Rejection['field']) =>
    refused?.field === field ? { problem: refused?.rejection ?? '' } : {};

  const name = isSignIn ? 'signIn' : 'signUp';
  return (
    <form
      ref={form}
      className={`${styles.form} ${isSignIn ? styles.signIn : styles.signUp}`}
      aria-labelledby={`${id}-title`}
      aria-hidden={!isOpen || undefined}
      aria-busy={isRunning || undefined}
      inert={!isOpen}
      method="post"
      action={deskAddress(isSignIn ? '/chatbot/login' : '/chatbot/register')}
      onSubmit={submit}
    >
      <h1 id={`${id}-title`}>
        {t(`${name}.above`) && <small lang="en">{t(`${name}.above`)}</small>}
        {t(name)}
      </h1>
      {problem && (
        <p className="field-note error" role="alert">
          {problem}
        </p>
      )}
      <Field
        label={t('username')}
        name="username"
        {...(!isSignIn && { note: t('rule.username') })}
        autoComplete={isSignIn ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        spellCheck={false}
        {...problemOf('username')}
      />
      <PasswordField
        label={t('password')}
        t={t}
        isNew={!isSignIn}
        autoComplete="current-password"
        {...problemOf('password')}
      />
      <button className="button primary" type="submit" aria-disabled={isRunning || undefined}>
        {isRunning ? t(isSignIn ? 'signingIn' : 'signingUp') : t(name)}
      </button>
      {children}
      <p className={styles.aside}>
        {isSignIn ? (
          <>
            {t('guestQuestion')}
            <Link to="/index">{t('asGuest')}</Link>
          </>
        ) : (
          t('guestDataNote')
        )}
      </p>
    </form>
  );
}
