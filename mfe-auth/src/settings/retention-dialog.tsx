import type { RetentionPreview } from 'api/contract/settings';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { FormError } from '../form-error.tsx';
import { useServices } from '../services.ts';
import { settingsTexts } from '../texts.ts';
import { useRead } from '../use-read.ts';

interface RetentionDialogProps {
  days: number;
  undoDays: number;
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation before records are deleted earlier than so far, and says how many would be deleted now. */
export function RetentionDialog({ days, undoDays, onConfirm, onClose }: RetentionDialogProps) {
  const t = useTexts(settingsTexts);
  const { http } = useServices();
  const { data: count, failure } = useRead(
    async (signal) =>
      (await http.get<RetentionPreview>('/api/settings/retention', { params: { days }, signal })).data
        .records,
  );
  return (
    <ActionDialog
      title={t('confirm.title')}
      closeLabel={t('close')}
      onClose={onClose}
      cancelLabel={t('cancel')}
      action={t('confirm.do')}
      isDanger
      isOff={count === undefined}
      onAct={() => count !== undefined && onConfirm()}
    >
      <p role="status">
        {count === undefined
          ? !failure && t('loading')
          : t(count > 0 ? 'confirm.count' : 'confirm.none', { count, days })}
      </p>
      <p>{t('confirm.undo', { days: undoDays })}</p>
      <FormError text={failure?.message ?? ''} />
    </ActionDialog>
  );
}
