import type { AdminReply } from 'api/contract/accounts';
import type { LinkInfo } from 'api/contract/one-time-links';
import type { SsoSession } from 'api/contract/single-sign-on';
import type { Http, Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { Field, textsIn } from './field.tsx';
import styles from './login.module.css';
import type { LoginTexts } from './login-texts.ts';
import { PasswordField } from './password-field.tsx';

interface PasswordLinkProps {
  http: Http;
  token: string;
  t: Translate<LoginTexts>;
  onSignedIn(session: SsoSession): void;
  /** To the form of /login. */
  onLeave(): void;
}

/** The form of a one-time link: a new password for an account, or a new account. */
export function PasswordLink({ http, token, t, onSignedIn, onLeave }: PasswordLinkProps) {
  const id = useId();
  const [link, setLink] = useState<LinkInfo | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<{ text: string; field?: AdminReply<never>['field'] }>();

  useEffect(() => {
    const controller = new AbortController();
    http.post<LinkInfo>('/admin/link', { token }, { signal: controller.signal }).then(
      ({ data }) => setLink(data),
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem({ text: asFailure(error).message });
      },
    );
    return () => controller.abort();
  }, [http, token]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const { username, password } = textsIn(event.currentTarget, 'username', 'password');
    setIsBusy(true);
    try {
      const { data } = await http.post<AdminReply<SsoSession>>('/admin/link/use', {
        token,
        username,
        password,
      });
      if (data.data) onSignedIn(data.data);
      else setProblem({ text: data.msg, ...(data.field && { field: data.field }) });
    } catch (error) {
      setProblem({ text: asFailure(error).message });
    } finally {
      setIsBusy(false);
    }
  };
  const problemOf = (field: 'username' | 'password') =>
    problem?.field === field ? { problem: problem.text } : {};

  const isNew = link?.username === null;
  return (
    <form
      className={`${styles.form} ${styles.signIn}`}
      aria-labelledby={`${id}-title`}
      aria-busy={isBusy || undefined}
      onSubmit={submit}
    >
      <h1 id={`${id}-title`}>{t(titleOf(link))}</h1>
      {problem && !problem.field && (
        <p className="field-note error" role="alert">
          {problem.text}
        </p>
      )}
      {problem && !link && <Button label={t('toSignIn')} onClick={onLeave} />}
      {link && (
        <>
          <Field
            label={t('username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...(isNew ? { note: t('rule.username') } : { value: link.username ?? '', readOnly: true })}
            {...problemOf('username')}
          />
          <PasswordField label={t('password.new')} t={t} isNew {...problemOf('password')} />
          {link.hasSecondFactor && <p className="type-small ink-2">{t('oneTime.second')}</p>}
          <Button
            look="primary"
            label={t(isNew ? 'oneTime.create' : 'oneTime.set')}
            type="submit"
            aria-disabled={isBusy || undefined}
          />
        </>
      )}
    </form>
  );
}

function titleOf(link: LinkInfo | null) {
  if (!link) return 'oneTime';
  if (link.isSetup) return 'oneTime.setup';
  return link.username === null ? 'oneTime.new' : 'oneTime.password';
}
