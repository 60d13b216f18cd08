import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useId, useState } from 'react';
import styles from './account.module.css';
import type { AccountCalls } from './account-calls.ts';
import type { AccountTexts } from './account-texts.ts';
import { Field } from './field.tsx';
import { FormError } from './form-error.tsx';

interface PasswordSectionProps {
  calls: AccountCalls;
  t: Translate<AccountTexts>;
  username: string;
  onChanged(): void;
}

const MIN = 8;
const MAX = 128;

/** Form for a new password. Shows the rules beforehand and the server's rejection afterwards. */
export function PasswordSection({ calls, t, username, onChanged }: PasswordSectionProps) {
  const id = useId();
  const { isBusy, failure, run } = useAction();
  const [next, setNext] = useState('');
  const length = next.trim().length;
  const isOutOfBounds = next !== '' && (length < MIN || length > MAX);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (length < MIN || length > MAX) return;
    const form = event.currentTarget;
    void run(async () => {
      await calls.changePassword(String(new FormData(form).get('current') ?? ''), next);
      form.reset();
      setNext('');
      onChanged();
    });
  };

  return (
    <section className={styles.side} aria-labelledby={`${id}-title`}>
      <div className="section-head">
        <h2 id={`${id}-title`}>{t('password')}</h2>
      </div>
      <form className={styles.form} onSubmit={submit} aria-labelledby={`${id}-title`}>
        {/* For password managers: the account of this password. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <Field label={t('password.current')} name="current" type="password" autoComplete="current-password" />
        <div className="field">
          <label htmlFor={`${id}-next`}>{t('password.next')}</label>
          <input
            className="input"
            id={`${id}-next`}
            name="next"
            type="password"
            autoComplete="new-password"
            value={next}
            aria-invalid={isOutOfBounds || undefined}
            aria-describedby={`${id}-rule`}
            onChange={(event) => setNext(event.target.value)}
          />
          <p className={`field-note ${isOutOfBounds ? 'error' : ''}`} id={`${id}-rule`}>
            {t('password.rule')}
          </p>
        </div>
        <FormError text={failure?.message ?? ''} />
        <Button
          look="primary"
          label={t(isBusy ? 'password.changing' : 'password.change')}
          type="submit"
          aria-disabled={isBusy || undefined}
        />
      </form>
    </section>
  );
}
