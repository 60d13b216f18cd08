import type { Person, PersonTransfer, SharedThings } from 'api/contract/people';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { useServices } from '../services.ts';
import { peopleTexts } from '../texts.ts';
import { useRead } from '../use-read.ts';
import styles from './people.module.css';

/** Transfers the responsibilities of an account. Before an account is deleted, offers this and asks for confirmation. */
export function TransferDialog({
  person: { id, username: name },
  isDeletion,
  isBusy,
  onTransferred,
  onDelete,
  onClose,
}: {
  person: Person;
  isDeletion: boolean;
  /** The account is being deleted. */
  isBusy: boolean;
  onTransferred(to: string, isDone: boolean): void;
  onDelete(): void;
  onClose(): void;
}) {
  const t = useTexts(peopleTexts);
  const { http } = useServices();
  const path = `/api/people/${encodeURIComponent(id)}`;
  const { data: shared, failure: problem } = useRead(
    async (signal) => (await http.get<SharedThings>(`${path}/shared`, { signal })).data,
  );
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
      closeLabel={t('close')}
      isBusy={isBusy || transferring.isBusy}
      onClose={onClose}
      onSubmit={() => void submit()}
      cancelLabel={t('cancel')}
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
