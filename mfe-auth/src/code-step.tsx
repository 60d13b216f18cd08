import type { SignInReply } from 'api/contract/accounts';
import type { SsoSession } from 'api/contract/single-sign-on';
import type { Http, Translate } from 'host/contract';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useEffect, useId, useRef } from 'react';
import { CodeField } from './code-field.tsx';
import { textsIn } from './field.tsx';
import styles from './login.module.css';
import type { LoginTexts } from './login-texts.ts';

interface CodeStepProps {
  http: Http;
  /** Of the reply to the password. */
  challenge: string;
  t: Translate<LoginTexts>;
  onSignedIn(session: SsoSession): void;
  /** The password is to be entered again: `message` says why, unless the visitor chose it. */
  onBack(message?: string): void;
}

/** The second step of a sign-in: a code of an authenticator app, or a recovery code. */
export function CodeStep({ http, challenge, t, onSignedIn, onBack }: CodeStepProps) {
  const id = useId();
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
    <form
      ref={form}
      className={`${styles.form} ${styles.signIn}`}
      aria-labelledby={`${id}-title`}
      aria-busy={isBusy || undefined}
      onSubmit={submit}
    >
      <h1 id={`${id}-title`}>{t('code.title')}</h1>
      <p className="type-small ink-2">{t('code.about')}</p>
      <CodeField t={t} {...(failure && { problem: failure.message })} />
      <button className="button primary" type="submit" aria-disabled={isBusy || undefined}>
        {t(isBusy ? 'signingIn' : 'signIn')}
      </button>
      <button className="button bare" type="button" onClick={() => onBack()}>
        {t('code.back')}
      </button>
    </form>
  );
}
