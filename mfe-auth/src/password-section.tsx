import type { AdminReply } from 'api/contract/accounts';
import { Button } from 'host/ui/button.tsx';
import { Section } from 'host/ui/section.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useState } from 'react';
import { FormError } from './form-error.tsx';
import { PasswordField, textsIn } from './login-fields.tsx';
import { accepted, useDesk, useUsername } from './services.tsx';
import { accountTexts } from './texts.ts';

interface PasswordSectionProps {
  /** An account without a password signs in at a provider. */
  hasPassword: boolean;
  onChanged(): void;
}

const MIN = 8;
const MAX = 128;

/** Form for a new password. Shows the rules and the strength beforehand and the server's rejection afterwards. */
export function PasswordSection({ hasPassword, onChanged }: PasswordSectionProps) {
  const { t, http } = useDesk(accountTexts);
  const username = useUsername();
  const { isBusy, failure, run } = useAction();
  const [isOutOfBounds, setIsOutOfBounds] = useState(false);
  // Number of changed passwords; as `key` it replaces the field, which then shows no strength.
  const [changes, setChanges] = useState(0);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { current, next } = textsIn(form, 'current', 'next');
    const { length } = [...next];
    if (length < MIN || length > MAX) return setIsOutOfBounds(true);
    void run(async () => {
      await accepted(http.post<AdminReply<never>>('/admin/password', { current, next }));
      form.reset();
      setChanges(changes + 1);
      onChanged();
    });
  };

  return (
    <Section title={t('password')} className="">
      {hasPassword ? (
        <form className="stack gap-s4" onSubmit={submit} aria-label={t('password')}>
          {/* Tells password managers the account of this password. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordField label={t('password.current')} name="current" />
          <PasswordField
            key={changes}
            label={t('password.next')}
            name="next"
            isNew
            note={t('password.rule')}
            fault={isOutOfBounds ? t('password.rule') : ''}
            onText={() => setIsOutOfBounds(false)}
          />
          <FormError text={failure?.message ?? ''} />
          <Button
            look="primary"
            label={t(isBusy ? 'password.changing' : 'password')}
            type="submit"
            isOff={isBusy}
          />
        </form>
      ) : (
        <p className="mb-s4 type-small ink-2">{t('password.none')}</p>
      )}
    </Section>
  );
}
