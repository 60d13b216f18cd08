import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import type { AdminReply, Passkey } from 'api/contract/accounts';
import type { NewPasskey, PasskeyProof } from 'api/contract/passkeys';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { useFormats } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useState } from 'react';
import { FormError } from './form-error.tsx';
import { CodeField, PasswordField, textsIn } from './login-fields.tsx';
import { accepted, useDesk, useDeskName } from './services.tsx';
import { accountTexts } from './texts.ts';

interface PasskeySectionProps {
  passkeys: readonly Passkey[];
  isCodeNeeded: boolean;
  onChanged(text: string): void;
}

type Challenge = AdminReply<PublicKeyCredentialCreationOptionsJSON>;

/** Texts for error names of `startRegistration`. All other errors mean that the visitor did not complete it. */
const FAILURES: Record<string, 'passkey.known' | 'passkey.unsupported'> = {
  InvalidStateError: 'passkey.known',
  SecurityError: 'passkey.unsupported',
  NotSupportedError: 'passkey.unsupported',
};

export function PasskeySection({ passkeys, isCodeNeeded, onChanged }: PasskeySectionProps) {
  const { t, http } = useDesk(accountTexts);
  const desk = useDeskName();
  const { locale } = useFormats();
  const [isAdding, setIsAdding] = useState(false);
  const adding = useAction();
  const removing = useAction();

  const add = ({ target }: FormEvent) => {
    const { name, password, code } = textsIn(target as HTMLFormElement, 'name', 'password', 'code');
    void adding.run(async (signal) => {
      const proof: PasskeyProof = { password, ...(isCodeNeeded && { code }) };
      const options = (await accepted(http.post<Challenge>('/admin/passkeys/challenge', proof, { signal })))!;
      // Shown by the browser.
      const optionsJSON = { ...options, rp: { ...options.rp, name: desk } };
      const credential = await startRegistration({ optionsJSON }).catch((thrown: Error) => {
        throw new Error(t(FAILURES[thrown.name] ?? 'passkey.cancelled'));
      });
      const passkey: NewPasskey = { name, credential };
      await accepted(http.post<AdminReply<never>>('/admin/passkeys', passkey));
      setIsAdding(false);
      onChanged(t('passkey.added'));
    });
  };
  const remove = (passkey: Passkey) =>
    void removing.run(async () => {
      await accepted(http.delete<AdminReply<never>>(`/admin/passkeys/${passkey.id}`));
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
                isOff={removing.isBusy}
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
          isBusy={adding.isBusy}
          onClose={() => setIsAdding(false)}
          onSubmit={add}
          action={t('passkey.add.do')}
        >
          <p className="mb-s4 type-small ink-2">{t('passkey.add.about')}</p>
          <TextField
            label={t('passkey.name')}
            name="name"
            maxLength={60}
            note={t('passkey.name.about')}
            autoComplete="off"
          />
          <PasswordField />
          {isCodeNeeded && <CodeField />}
          <FormError text={adding.failure?.message ?? ''} />
        </ActionDialog>
      )}
    </Section>
  );
}
