import type { Translate } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { type FormEvent, useId, useRef, useState } from 'react';
import styles from './account.module.css';
import type { AccountCalls } from './account-calls.ts';
import type { AccountWords } from './account-words.ts';
import { Field } from './field.tsx';
import { Refusal } from './refusal.tsx';
import { useSending } from './use-sending.ts';

interface DeleteAccountProps {
  calls: AccountCalls;
  t: Translate<AccountWords>;
  username: string;
  onDeleted(): void;
}

/** Account deletion: shows what is deleted and what stays, then asks for the password and the typed name. */
export function DeleteAccount({ calls, t, username, onDeleted }: DeleteAccountProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { isBusy, refusal, send, clear } = useSending();
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState('');
  const isNamed = username !== '' && folded(typed) === folded(username);
  const isConfirmed = password !== '' && isNamed;

  const empty = () => {
    setPassword('');
    setTyped('');
    setMissing('');
    clear();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed)
      return setMissing(password === '' ? t('delete.missing') : t('delete.mismatch', { name: username }));
    setMissing('');
    void send(async () => {
      await calls.deleteAccount(password);
      dialog.current?.close();
      onDeleted();
    });
  };

  return (
    <section className="section" aria-labelledby={`${id}-section`}>
      <div className="section-head">
        <h2 id={`${id}-section`}>{t('delete')}</h2>
      </div>
      <p className={styles.about}>{t('delete.about')}</p>
      <button className="button danger-quiet" type="button" onClick={() => dialog.current?.showModal()}>
        <Icon name="trash" className="icon-s" />
        {t('delete.open')}
      </button>
      <dialog className="dialog" ref={dialog} aria-labelledby={`${id}-title`} onClose={empty}>
        <form className="dialog-sheet" onSubmit={submit} autoComplete="off">
          <header className="dialog-head">
            <h2 id={`${id}-title`}>{t('delete.title', { name: username })}</h2>
            <button
              className="icon-button"
              type="button"
              aria-label={t('close')}
              onClick={() => dialog.current?.close()}
            >
              <Icon name="close" />
            </button>
          </header>
          <div className="dialog-body">
            <dl className={styles.what}>
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
            <Refusal text={refusal || (isConfirmed ? '' : missing)} />
          </div>
          <footer className="dialog-foot">
            <p className="note">{t('delete.warning')}</p>
            <button className="button" type="button" onClick={() => dialog.current?.close()}>
              {t('delete.cancel')}
            </button>
            <button
              className="button danger"
              type="submit"
              aria-disabled={isBusy || !isConfirmed || undefined}
            >
              {t(isBusy ? 'delete.doing' : 'delete.do')}
            </button>
          </footer>
        </form>
      </dialog>
    </section>
  );
}

/** Usernames ignore case and full-width forms. */
function folded(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
