import type { SignInReply } from 'api/contract/accounts';
import type { SsoSession } from 'api/contract/single-sign-on';
import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useEffect, useRef } from 'react';
import { CodeField, textsIn } from './login-fields.tsx';
import { Panel } from './panel.tsx';
import { useServices } from './services.ts';
import { loginTexts } from './texts.ts';

interface CodeStepProps {
  /** The challenge from the reply to the password. */
  challenge: string;
  onSignedIn(session: SsoSession): void;
  /** Returns to the password; `message` says why, unless the visitor chose to. */
  onBack(message?: string): void;
}

/** The second step of a sign-in: a code of an authenticator app, or a recovery code. */
export function CodeStep({ challenge, onSignedIn, onBack }: CodeStepProps) {
  const t = useTexts(loginTexts);
  const { http } = useServices();
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
      <Button
        look="primary"
        label={t(isBusy ? 'signingIn' : 'signIn')}
        type="submit"
        aria-disabled={isBusy || undefined}
      />
      <Button look="bare" label={t('code.back')} onClick={() => onBack()} />
    </Panel>
  );
}
