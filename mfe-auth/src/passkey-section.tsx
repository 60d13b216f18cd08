import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser';
import type { Passkey } from 'api/contract/accounts';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Section } from 'host/ui/section.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useState } from 'react';
import type { AccountCalls } from './account-calls.ts';
import type { AccountTexts } from './account-texts.ts';
import { CodeField } from './code-field.tsx';
import { Field, textsIn } from './field.tsx';
import { FormError } from './form-error.tsx';
import type { LoginTexts } from './login-texts.ts';
import { PasswordField } from './password-field.tsx';

interface PasskeySectionProps {
  passkeys: readonly Passkey[];
  isCodeNeeded: boolean;
  calls: AccountCalls;
  t: Translate<AccountTexts>;
  tField: Translate<LoginTexts>;
  locale: string;
  /** Shown by the browser. */
  desk: string;
  onChanged(text: string): void;
}

/** What names of errors of `startRegistration` mean; any other one: the person did not complete it. */
const FAILURES: Record<string, 'passkey.known' | 'passkey.unsupported'> = {
  InvalidStateError: 'passkey.known',
  SecurityError: 'passkey.unsupported',
  NotSupportedError: 'passkey.unsupported',
};

export function PasskeySection(props: PasskeySectionProps) {
  const { passkeys, isCodeNeeded, calls, t, tField, locale, desk, onChanged } = props;
  const [isAdding, setIsAdding] = useState(false);
  const adding = useAction();
  const removing = useAction();

  const add = ({ target }: FormEvent) => {
    const { name, password, code } = textsIn(target as HTMLFormElement, 'name', 'password', 'code');
    void adding.run(async (signal) => {
      const options = await calls.passkeyOptions({ password, ...(isCodeNeeded && { code }) }, signal);
      const optionsJSON = { ...options, rp: { ...options.rp, name: desk } };
      const credential = await startRegistration({ optionsJSON }).catch((thrown: Error) => {
        throw new Error(t(FAILURES[thrown.name] ?? 'passkey.cancelled'));
      });
      await calls.addPasskey({ name, credential });
      setIsAdding(false);
      onChanged(t('passkey.added'));
    });
  };
  const remove = (passkey: Passkey) =>
    void removing.run(async () => {
      await calls.removePasskey(passkey.id);
      onChanged(t('passkey.removed', { name: passkey.name }));
    });

  return (
    <Section title={t('passkey')} className="">
      <p className="mb-s4 type-small ink-2">{t('passkey.about')}</p>
      {passkeys.length > 0 && (
        <ul className="rows roomy mb-s4">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <b>{passkey.name}</b>
                <p className="num">
                  {passkey.lastUsedAt
                    ? t('lastUsed', { time: formatTime(passkey.lastUsedAt, locale) })
                    : t('passkey.unused')}
                </p>
              </div>
              <Button
                look="small"
                label={t('passkey.remove')}
                aria-label={t('passkey.remove.of', { name: passkey.name })}
                aria-disabled={removing.isBusy || undefined}
                onClick={() => remove(passkey)}
              />
            </li>
          ))}
        </ul>
      )}
      <FormError text={removing.failure?.message ?? ''} />
      {browserSupportsWebAuthn() ? (
        <Button label={t('passkey.add.open')} onClick={() => setIsAdding(true)} />
      ) : (
        <p className="field-note">{t('passkey.unsupported')}</p>
      )}
      {isAdding && (
        <ActionDialog
          title={t('passkey.add')}
          closeLabel={t('close')}
          isBusy={adding.isBusy}
          onClose={() => setIsAdding(false)}
          onSubmit={add}
          cancelLabel={t('delete.cancel')}
          action={t('passkey.add.do')}
        >
          <p className="mb-s4 type-small ink-2">{t('passkey.add.about')}</p>
          <Field
            label={t('passkey.name')}
            name="name"
            maxLength={60}
            note={t('passkey.name.about')}
            autoComplete="off"
          />
          <PasswordField label={tField('password')} t={tField} autoComplete="current-password" />
          {isCodeNeeded && <CodeField t={tField} />}
          <FormError text={adding.failure?.message ?? ''} />
        </ActionDialog>
      )}
    </Section>
  );
}
