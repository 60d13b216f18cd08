import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useId, useState } from 'react';
import styles from './account.module.css';
import type { AccountCalls } from './account-calls.ts';
import type { AccountTexts } from './account-texts.ts';
import { Field } from './field.tsx';
import { FormError } from './form-error.tsx';

interface DeleteAccountProps {
  calls: AccountCalls;
  t: Translate<AccountTexts>;
  username: string;
  onDeleted(): void;
}

/** Account deletion: shows what is deleted and what stays, then asks for the password and the typed name. */
export function DeleteAccount({ calls, t, username, onDeleted }: DeleteAccountProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, failure, run, clear } = useAction();
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState('');
  const isNameTyped = username !== '' && foldCase(typed) === foldCase(username);
  const isConfirmed = password !== '' && isNameTyped;

  const close = () => {
    setIsOpen(false);
    setPassword('');
    setTyped('');
    setMissing('');
    clear();
  };
  const submit = () => {
    if (!isConfirmed)
      return setMissing(password === '' ? t('delete.missing') : t('delete.mismatch', { name: username }));
    setMissing('');
    void run(async () => {
      await calls.deleteAccount(password);
      close();
      onDeleted();
    });
  };

  return (
    <section className="section" aria-labelledby={`${id}-section`}>
      <div className="section-head">
        <h2 id={`${id}-section`}>{t('delete')}</h2>
      </div>
      <p className={styles.about}>{t('delete.about')}</p>
      <Button look="danger-quiet" icon="trash" label={t('delete.open')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <Dialog
          title={t('delete.title', { name: username })}
          closeLabel={t('close')}
          onClose={close}
          onSubmit={submit}
          foot={
            <DialogActions
              cancelLabel={t('delete.cancel')}
              onCancel={close}
              label={t(isBusy ? 'delete.doing' : 'delete.do')}
              isDanger
              isOff={isBusy || !isConfirmed}
            >
              <p className="note">{t('delete.warning')}</p>
            </DialogActions>
          }
        >
          <dl className={styles.consequences}>
            <dt>{t('delete.goes')}</dt>
            <dd>{t('delete.goes.1')}</dd>
            <dd>{t('delete.goes.2')}</dd>
            <dt>{t('delete.stays')}</dt>
            <dd>{t('delete.stays.1')}</dd>
          </dl>
          <Field
            label={t('delete.password')}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Field
            label={t('delete.typed', { name: username })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <FormError text={failure?.message || (isConfirmed ? '' : missing)} />
        </Dialog>
      )}
    </section>
  );
}

/** Usernames ignore case and full-width forms. */
function foldCase(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
