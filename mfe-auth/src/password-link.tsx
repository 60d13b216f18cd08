import type { AdminReply } from 'api/contract/accounts';
import type { LinkInfo } from 'api/contract/one-time-links';
import type { SsoSession } from 'api/contract/single-sign-on';
import { Button } from 'host/ui/button.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useState } from 'react';
import { PasswordField, textsIn, UsernameField } from './login-fields.tsx';
import { Panel } from './panel.tsx';
import { useDesk, useRead } from './services.tsx';
import { loginTexts } from './texts.ts';

interface PasswordLinkProps {
  token: string;
  onSignedIn(session: SsoSession): void;
  /** Returns to the sign-in form. */
  onLeave(): void;
}

/** The form of a one-time link: a new password for an account, or a new account. */
export function PasswordLink({ token, onSignedIn, onLeave }: PasswordLinkProps) {
  const { t, http } = useDesk(loginTexts);
  const reading = useRead<LinkInfo>('/admin/link', { body: { token } });
  const link = reading.data;
  const { isBusy, failure, run } = useAction();
  const [refused, setRefused] = useState<AdminReply<never>['field']>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { username, password } = textsIn(event.currentTarget, 'username', 'password');
    void run(async () => {
      const body = { token, username, password };
      const { data } = await http.post<AdminReply<SsoSession>>('/admin/link/use', body);
      setRefused(data.field);
      if (!data.data) throw new Error(data.msg);
      onSignedIn(data.data);
    });
  };
  const faultOf = (field: 'username' | 'password') => (refused === field ? failure?.message : '');

  const isNew = link?.username === null;
  return (
    <Panel
      title={t(titleOf(link))}
      isBusy={isBusy}
      problem={reading.failure?.message ?? (refused ? '' : failure?.message)}
      onSubmit={submit}
    >
      {reading.failure && <Button label={t('toSignIn')} onClick={onLeave} />}
      {link && (
        <>
          <UsernameField
            {...(isNew ? { note: t('rule.username') } : { value: link.username ?? '', readOnly: true })}
            fault={faultOf('username')}
          />
          <PasswordField label={t('password.new')} isNew fault={faultOf('password')} />
          {link.hasSecondFactor && <p className="type-small ink-2">{t('oneTime.second')}</p>}
          <Button
            look="primary"
            label={t(isNew ? 'oneTime.create' : 'oneTime.set')}
            type="submit"
            isOff={isBusy}
          />
        </>
      )}
    </Panel>
  );
}

function titleOf(link: LinkInfo | undefined) {
  if (!link) return 'oneTime';
  if (link.isSetup) return 'oneTime.setup';
  return link.username === null ? 'oneTime.new' : 'oneTime.password';
}
