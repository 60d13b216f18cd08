import type { HttpFailure, Translate } from 'host/contract';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { useEffect, useState } from 'react';
import { FormError } from '../form-error.tsx';
import type { SettingsCalls } from './settings-calls.ts';
import type { SettingsTexts } from './settings-texts.ts';

interface RetentionDialogProps {
  t: Translate<SettingsTexts>;
  calls: Pick<SettingsCalls, 'countDue'>;
  days: number;
  undoDays: number;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before records are deleted earlier than before, with the number of those that are due. */
export function RetentionDialog({ t, calls, days, undoDays, onConfirm, onClose }: RetentionDialogProps) {
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let isOpen = true;
    calls.countDue(days).then(
      (records) => isOpen && setCount(records),
      (failure: HttpFailure) => isOpen && setError(failure.message),
    );
    return () => {
      isOpen = false;
    };
  }, [calls, days]);

  return (
    <ActionDialog
      title={t('confirm.title')}
      closeLabel={t('close')}
      onClose={onClose}
      cancelLabel={t('cancel')}
      action={t('confirm.do')}
      isDanger
      isOff={count === null}
      onAct={() => count !== null && onConfirm()}
    >
      <p role="status">
        {count === null
          ? !error && t('loading')
          : t(count > 0 ? 'confirm.count' : 'confirm.none', { count, days })}
      </p>
      <p>{t('confirm.undo', { days: undoDays })}</p>
      <FormError text={error} />
    </ActionDialog>
  );
}
