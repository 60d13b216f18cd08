import type {
  AdminReply,
  RecoveryCodes,
  SecondFactorProof,
  SecondFactorSecret,
  SecondFactorState,
} from 'api/contract/accounts';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog, Dialog } from 'host/ui/dialog.tsx';
import { Problem } from 'host/ui/problem.tsx';
import { saveFile } from 'host/ui/save-file.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { encode } from 'uqr';
import styles from './account.module.css';
import { FormError } from './form-error.tsx';
import { CodeField, PasswordField, textsIn } from './login-fields.tsx';
import { PasskeySection } from './passkey-section.tsx';
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
