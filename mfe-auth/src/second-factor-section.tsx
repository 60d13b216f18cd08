import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import type {
  AdminReply,
  Passkey,
  RecoveryCodes,
  SecondFactorProof,
  SecondFactorSecret,
  SecondFactorState,
} from 'api/contract/accounts';
import type { NewPasskey, PasskeyProof } from 'api/contract/passkeys';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog, Dialog } from 'host/ui/dialog.tsx';
import { formatTime } from 'host/ui/format-date.ts';
import { Problem } from 'host/ui/problem.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { encode } from 'uqr';
import styles from './account.module.css';
import { FormError } from './form-error.tsx';
import { CodeField, PasswordField, textsIn } from './login-fields.tsx';
import { accepted, useDesk, useDeskName, type useRead, useUsername } from './services.tsx';
import { accountTexts } from './texts.ts';

interface SecondFactorSectionProps {
  security: ReturnType<typeof useRead<SecondFactorState>>;
  onChanged(text: string): void;
}

/** Whether the account has a second factor, with buttons to switch it on and off, and its passkeys. Empty for accounts without a password. */
export function SecondFactorSection({ security, onChanged }: SecondFactorSectionProps) {
  const t = useTexts(accountTexts);
  const { data: state, failure, again } = security;
  const [task, setTask] = useState<SecondFactorTask | null>(null);
  const toggle = state?.isOn ? 'turnOff' : 'turnOn';

  if (!state?.hasPassword && !failure) return null;
  return (
    <>
      <Section
        title={t('second')}
        className=""
        aside={state?.isOn && <span className="tag accent">{t('second.on')}</span>}
      >
        {failure ? (
          <Problem level={3} title={t('second.failed')} message={failure.message} onRetry={again} />
        ) : (
          <>
            <p className="mb-s4 type-small ink-2">
              {state?.isOn ? t('second.left', { count: state.recoveryCodes }) : t('second.about')}
            </p>
            <div className="line wrap mb-s2">
              {/* The same button element in both states, so that the focus returns to it. */}
              <Button label={t(`second.${toggle}.open`)} onClick={() => setTask(toggle)} />
              {state?.isOn && <Button label={t('second.renew.open')} onClick={() => setTask('renew')} />}
            </div>
          </>
        )}
        {task && (
          <SecondFactorDialog
            task={task}
            onDone={() => onChanged(t(`second.${task}.done`))}
            onClose={() => setTask(null)}
          />
        )}
      </Section>
      {state && <PasskeySection passkeys={state.passkeys} isCodeNeeded={state.isOn} onChanged={onChanged} />}
    </>
  );
}

type SecondFactorTask = 'turnOn' | 'renew' | 'turnOff';

interface SecondFactorDialogProps {
  task: SecondFactorTask;
  onDone(): void;
  onClose(): void;
}

/** Asks for the password and a code to switch the second factor on or off or to renew its recovery codes. Shows new recovery codes. */
function SecondFactorDialog({ task, onDone, onClose }: SecondFactorDialogProps) {
  const { t, http } = useDesk(accountTexts);
  const [secret, setSecret] = useState('');
  const [codes, setCodes] = useState<string[] | null>(null);
  const { isBusy, failure, run } = useAction();
  const needsSecret = task === 'turnOn' && !secret;
  const loadSecret = useCallback(
    () =>
      void run(async (signal) => {
        const url = '/admin/second-factor/secret';
        const made = await accepted(http.post<AdminReply<SecondFactorSecret>>(url, undefined, { signal }));
        setSecret(made?.secret ?? '');
      }),
    [http, run],
  );
  useEffect(() => {
    if (needsSecret) loadSecret();
  }, [needsSecret, loadSecret]);

  const submit = ({ target }: FormEvent) => {
    if (needsSecret) return loadSecret();
    const proof: SecondFactorProof = textsIn(target as HTMLFormElement, 'password', 'code');
    void run(async () => {
      const url = `/admin/second-factor${task === 'renew' ? '/recovery-codes' : ''}`;
      const made = await accepted(
        task === 'turnOff'
          ? http.delete<AdminReply<RecoveryCodes>>(url, { data: proof })
          : http.post<AdminReply<RecoveryCodes>>(url, proof),
      );
      onDone();
      if (made?.recoveryCodes) setCodes(made.recoveryCodes);
      else onClose();
    });
  };

  if (codes) return <RecoveryCodesDialog codes={codes} onClose={onClose} />;
  return (
    <ActionDialog
      title={t(`second.${task}`)}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={submit}
      action={t(`second.${task}.do`)}
      isDanger={task === 'turnOff'}
    >
      <p className="mb-s4 type-small ink-2">{t(`second.${task}.about`)}</p>
      {secret && <SecretView secret={secret} />}
      <PasswordField />
      <CodeField />
      <FormError text={failure?.message ?? ''} />
    </ActionDialog>
  );
}

/** A secret for an authenticator app, as QR code and as text. */
function SecretView({ secret }: { secret: string }) {
  const t = useTexts(accountTexts);
  const desk = useDeskName();
  const username = useUsername();
  const { data, size } = useMemo(() => {
    const label = `${desk}:${username}`;
    const uri = `otpauth://totp/${encodeURIComponent(label)}?${new URLSearchParams({ secret, issuer: desk })}`;
    return encode(uri.replaceAll('+', '%20'), { ecc: 'M', border: 3 });
  }, [secret, desk, username]);
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <div className={`line gap-s4 wrap ${styles.secret}`}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('second.qr')} shapeRendering="crispEdges">
        <path d={path} />
      </svg>
      <TextField
        label={t('second.secret')}
        value={secret.match(/.{1,4}/g)?.join(' ')}
        readOnly
        onFocus={({ target }) => target.select()}
      />
    </div>
  );
}

/** Shows the recovery codes, which cannot be shown again. Only its button closes it; Escape moves the focus to that button. */
function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const t = useTexts(accountTexts);
  const [isAsked, setIsAsked] = useState(false);
  const saved = useRef<HTMLButtonElement>(null);
  const save = () =>
    saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <Dialog
      title={t('second.codes')}
      onClose={() => {
        setIsAsked(true);
        saved.current?.focus();
      }}
      foot={
        <>
          <Button icon="download" label={t('second.codes.save')} onClick={save} />
          <Button look="primary" label={t('second.codes.saved')} ref={saved} onClick={onClose} />
        </>
      }
    >
      <p className="mb-s4 type-small ink-2">{t('second.codes.about')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <FormError text={isAsked ? t('second.codes.ask') : ''} />
    </Dialog>
  );
}

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

function PasskeySection({ passkeys, isCodeNeeded, onChanged }: PasskeySectionProps) {
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
