import type { HttpFailure, Translate } from 'host/contract';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
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
    <Dialog
      title={t('confirm.title')}
      closeLabel={t('close')}
      onClose={onClose}
      foot={
        <DialogActions
          cancelLabel={t('cancel')}
          onCancel={onClose}
          label={t('confirm.do')}
          isDanger
          isOff={count === null}
          onAct={() => count !== null && onConfirm()}
        />
      }
    >
      <p role="status">
        {count === null
          ? !error && t('loading')
          : t(count > 0 ? 'confirm.count' : 'confirm.none', { count, days })}
      </p>
      <p>{t('confirm.undo', { days: undoDays })}</p>
      <FormError text={error} />
    </Dialog>
  );
}
