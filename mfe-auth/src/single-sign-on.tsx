import type { AdminReply } from 'api/contract/accounts';
import type { SsoSession } from 'api/contract/single-sign-on';
import type { Desk } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './login.module.css';
import { CodeField, PasswordField, textsIn } from './login-fields.tsx';
import { GuestLink, Panel } from './panel.tsx';
import { useDesk } from './services.tsx';
import { loginTexts } from './texts.ts';

interface ProvidersProps {
  providers: NonNullable<Desk['signIn']>['providers'];
  /** Whether there is a form above them. */
  hasForm: boolean;
}

/** Links to the providers of single sign-on. They leave the page. */
export function Providers({ providers, hasForm }: ProvidersProps) {
  const t = useTexts(loginTexts);
  if (providers.length === 0) return null;
  return (
    <div className={`line wrap gap-s3 ${styles.providers}`}>
      {hasForm && <p className={styles.or}>{t('sso.or')}</p>}
      {providers.map(({ id, name }) => (
        <a
          key={id}
          className={`button ${hasForm ? '' : 'primary'}`}
          href={deskAddress(`/admin/sso/${encodeURIComponent(id)}/start`)}
        >
          {t('sso.with', { name })}
        </a>
      ))}
    </div>
  );
}

/** The panel of a desk where people can only sign in at providers. */
export function SsoOnly({ problem, children }: { problem: string; children: ReactNode }) {
  const t = useTexts(loginTexts);
  return (
    <section className={`${styles.form} ${styles.signIn}`}>
      <h1>
        {t('signIn.above') && <small lang="en">{t('signIn.above')}</small>}
        {t('signIn')}
      </h1>
      {problem && (
        <p className="field-note error" role="alert">
          {problem}
        </p>
      )}
      {children}
      <GuestLink />
    </section>
  );
}

interface LinkAccountProps {
  /** The account with the name that the provider gives. */
  username: string;
  onSignedIn(session: SsoSession): void;
}

/** After a sign-in at a provider: asks for the password of the account with the same name, to prove that it is the visitor's. */
export function LinkAccount({ username, onSignedIn }: LinkAccountProps) {
  const { t, http } = useDesk(loginTexts);
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, failure, run } = useAction();
  const [refused, setRefused] = useState<AdminReply<never>['field']>();
  const isCodeNeeded = refused === 'code';
  // In an effect, so that the text that describes the field is in the page before the field gets the focus.
  useEffect(() => {
    const fields = form.current?.elements;
    if (failure) (fields?.namedItem(isCodeNeeded ? 'code' : 'password') as HTMLElement | null)?.focus();
  }, [failure, isCodeNeeded]);

  const request = (path: 'link' | 'create', body?: object) =>
    run(async () => {
      const { data } = await http.post<AdminReply<SsoSession>>(`/admin/sso/${path}`, body);
      setRefused(data.field);
      if (!data.data) throw new Error(data.msg);
      onSignedIn(data.data);
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password, code } = textsIn(event.currentTarget, 'password', 'code');
    void request('link', { username, password, ...(code && { code }) });
  };

  return (
    <Panel ref={form} title={t('link')} isBusy={isBusy} onSubmit={submit}>
      <p className="type-small ink-2">{t('link.about', { name: username })}</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={t('link.password', { name: username })}
        fault={isCodeNeeded ? '' : failure?.message}
      />
      {isCodeNeeded && <CodeField fault={failure?.message} />}
      <Button look="primary" label={t('link.submit')} type="submit" isOff={isBusy} />
      <Button look="bare" label={t('link.create')} isOff={isBusy} onClick={() => void request('create')} />
    </Panel>
  );
}
