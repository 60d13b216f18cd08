import type { AdminReply, Proof } from 'api/contract/accounts';
import type { ConfirmOutcome, ConfirmPage } from 'api/contract/single-sign-on';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog, Dialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import styles from './account.module.css';
import { FormError } from './form-error.tsx';
import { accepted, useDesk, useRead, useUsername } from './services.tsx';
import { accountTexts } from './texts.ts';

interface DeleteAccountProps {
  /** Accounts without a password confirm by signing in again at the provider. */
  hasPassword: boolean;
  /** The result after the return from the provider. */
  confirmed: ConfirmOutcome | null;
  onDeleted(): void;
}

/** Account deletion: shows what is deleted and what stays, then asks for the password and the typed name. */
export function DeleteAccount({ hasPassword, confirmed, onDeleted }: DeleteAccountProps) {
  const { t, http } = useDesk(accountTexts);
  const username = useUsername();
  const [isOpen, setIsOpen] = useState(confirmed !== null);
  const [outcome, setOutcome] = useState(confirmed);
  const { isBusy, failure, run, clear } = useAction();
  const needsPassword = hasPassword && outcome === null;
  const needsSignIn = !needsPassword && outcome !== 'done' && !isBusy;
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState('');
  const isNameTyped = username !== '' && foldCase(typed) === foldCase(username);
  const hasProof = !needsPassword || password !== '';
  const isConfirmed = hasProof && isNameTyped;

  const close = () => {
    setIsOpen(false);
    setPassword('');
    setTyped('');
    setMissing('');
    clear();
  };
  const submit = () => {
    if (!isConfirmed)
      return setMissing(hasProof ? t('delete.mismatch', { name: username }) : t('delete.missing'));
    setMissing('');
    void run(async () => {
      // A sign-in at the provider can only be used once.
      if (!needsPassword) setOutcome('failed');
      const data: Proof = needsPassword ? { password: password.trim() } : {};
      await accepted(http.delete<AdminReply<never>>('/admin/account', { data }));
      close();
      onDeleted();
    });
  };

  return (
    <Section title={t('delete')}>
      <p className="mb-s4 type-small ink-2">{t('delete.about')}</p>
      <Button look="danger-quiet" icon="trash" label={t('delete.open')} onClick={() => setIsOpen(true)} />
      {isOpen && needsSignIn && <ConfirmDialog hasFailed={outcome === 'failed'} onClose={close} />}
      {isOpen && !needsSignIn && (
        <ActionDialog
          title={t('delete.title', { name: username })}
          onClose={close}
          onSubmit={submit}
          action={t(isBusy ? 'delete.doing' : 'delete')}
          isDanger
          isOff={isBusy || !isConfirmed}
          aside={<p className="note">{t('delete.warning')}</p>}
        >
          <dl className={`stack gap-2px type-small ink-2 ${styles.consequences}`}>
            <dt className="type-small strong ink-2">{t('delete.goes')}</dt>
            <dd>{t('delete.goes.1')}</dd>
            <dd>{t('delete.goes.2')}</dd>
            <dt className="type-small strong ink-2">{t('delete.stays')}</dt>
            <dd>{t('delete.stays.1')}</dd>
          </dl>
          {needsPassword && (
            <TextField
              label={t('delete.password')}
              type="password"
              autoComplete="current-password"
              value={password}
              onText={setPassword}
            />
          )}
          <TextField
            label={t('delete.typed', { name: username })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onText={setTyped}
          />
          <FormError text={failure?.message || (isConfirmed ? '' : missing)} />
        </ActionDialog>
      )}
    </Section>
  );
}

/** Leads to the provider, which signs the person in again and returns to this screen. */
function ConfirmDialog({ hasFailed, onClose }: { hasFailed: boolean; onClose(): void }) {
  const t = useTexts(accountTexts);
  const { data, failure } = useRead<ConfirmPage>('/admin/sso/confirm', {
    body: { purpose: 'delete_account' },
  });
  return (
    <Dialog
      title={t('confirm')}
      onClose={onClose}
      foot={
        <>
          <Button label={t('cancel')} onClick={onClose} />
          <a className="button primary" href={data?.url} aria-disabled={!data?.url}>
            {t('confirm.do')}
          </a>
        </>
      }
    >
      <p className="mb-s4 type-small ink-2">{t('confirm.about')}</p>
      <FormError text={failure?.message ?? (hasFailed ? t('confirm.failed') : '')} />
    </Dialog>
  );
}

/** Usernames ignore case and full-width forms. */
function foldCase(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
