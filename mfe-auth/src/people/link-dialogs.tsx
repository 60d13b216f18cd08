import type { OneTimeLink } from 'api/contract/one-time-links';
import type { Person, PersonTransfer, SharedThings } from 'api/contract/people';
import { deskAddress } from 'host/ui/desk-address.ts';
import { ActionDialog, Dialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { useDesk, useRead } from '../services.tsx';
import { peopleTexts } from '../texts.ts';
import styles from './people.module.css';
import { shownRoles } from './person-row.tsx';

interface LinkDialogProps {
  title: string;
  about?: string | undefined;
  token: string;
  onClose(): void;
}

/** Shows a one-time link to give to somebody. It cannot be shown again. `about` explains its effects. */
export function LinkDialog({ title, token, about = '', onClose }: LinkDialogProps) {
  const t = useTexts(peopleTexts);
  const [isCopied, setIsCopied] = useState(false);
  const url = window.location.origin + deskAddress(`/chatbot/login#link=${token}`);
  const copy = () =>
    navigator.clipboard?.writeText(url).then(
      () => setIsCopied(true),
      () => undefined,
    );
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <button className="button primary" type="button" onClick={copy}>
          {t(isCopied ? 'link.copied' : 'link.copy')}
        </button>
      }
    >
      <TextField
        label={t('link')}
        value={url}
        readOnly
        data-focus-first
        note={t('link.about')}
        onFocus={({ target }) => target.select()}
      >
        {about && <p className="field-note">{about}</p>}
      </TextField>
    </Dialog>
  );
}

/** Creates the link of an invitation. */
export function InviteDialog({ onMade, onClose }: { onMade(token: string): void; onClose(): void }) {
  const { t, http } = useDesk(peopleTexts);
  const [role, setRole] = useState('');
  const { isBusy, failure, run } = useAction();
  const make = () =>
    run(async (signal) => {
      const roles = role ? [role] : [];
      const { data } = await http.post<OneTimeLink>('/api/people/invitations', { roles }, { signal });
      onMade(data.token);
    });
  return (
    <Dialog
      title={t('invite')}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <button className="button primary" type="button" aria-disabled={isBusy || undefined} onClick={make}>
          {t('invite.make')}
        </button>
      }
    >
      <TextField
        label={t('role')}
        choices={[['', t('role.none')], ...shownRoles.map((one) => [one, t(`role.${one}`)] as const)]}
        value={role}
        note={t('invite.about')}
        fault={failure?.message}
        onText={setRole}
      />
    </Dialog>
  );
}

interface TransferDialogProps {
  person: Person;
  isDeletion: boolean;
  /** The account is being deleted. */
  isBusy: boolean;
  onTransferred(to: string, isDone: boolean): void;
  onDelete(): void;
  onClose(): void;
}

/** Transfers the responsibilities of an account. Before an account is deleted, offers this and asks for confirmation. */
export function TransferDialog({
  person: { id, username: name },
  isDeletion,
  isBusy,
  onTransferred,
  onDelete,
  onClose,
}: TransferDialogProps) {
  const { t, http } = useDesk(peopleTexts);
  const path = `/api/people/${encodeURIComponent(id)}`;
  const { data: shared, failure: problem } = useRead<SharedThings>(`${path}/shared`);
  const [to, setTo] = useState('');
  const transferring = useAction();
  const isAnything = shared !== undefined && totalOf(shared) > 0;
  const isOff = isBusy || transferring.isBusy || !(isDeletion || isAnything);

  const submit = async () => {
    if (isOff) return;
    const transfer: PersonTransfer = { to: to.trim() };
    if (isDeletion && transfer.to === '') return onDelete();
    const isDone = await transferring.run(async (signal) => {
      if (transfer.to === '') throw new Error(t('transfer.to.empty'));
      const { data } = await http.post<SharedThings>(`${path}/transfer`, transfer, { signal });
      onTransferred(transfer.to, totalOf(data) === 0);
    });
    if (isDone) (isDeletion ? onDelete : onClose)();
  };

  return (
    <ActionDialog
      title={t(isDeletion ? 'delete.of' : 'transfer.of', { name })}
      isBusy={isBusy || transferring.isBusy}
      onClose={onClose}
      onSubmit={submit}
      action={t(isDeletion ? 'delete' : 'transfer.act')}
      isDanger={isDeletion}
      isOff={isOff}
    >
      {isDeletion && <p>{t('delete.about')}</p>}
      {(isAnything || !isDeletion) && <p>{t('transfer.about')}</p>}
      {problem && <p role="alert">{problem.message}</p>}
      {!problem && !isAnything && <p role="status">{t(shared ? 'transfer.none' : 'transfer.loading')}</p>}
      {isAnything && (
        <>
          <ul className={styles.shared}>
            {(['collections', 'handovers'] as const)
              .filter((one) => shared[one] > 0)
              .map((one) => (
                <li key={one}>{t(`transfer.${one}`, { count: shared[one] })}</li>
              ))}
          </ul>
          <TextField
            label={t(isDeletion ? 'transfer.to.optional' : 'transfer.to')}
            value={to}
            maxLength={64}
            note={t('transfer.to.about')}
            fault={transferring.failure?.message}
            onText={setTo}
          />
        </>
      )}
    </ActionDialog>
  );
}

const totalOf = ({ collections, handovers }: SharedThings): number => collections + handovers;
