import type { HostServices, Translate } from 'host/contract';
import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { Late, type LatePart } from 'host/ui/late-part.tsx';
import type { ReactNode } from 'react';
import type { RecordTexts } from './texts.ts';

interface LateDialogProps<T> {
  part: LatePart<T>;
  toasts: HostServices['toasts'];
  t: Translate<RecordTexts>;
  onClose(): void;
  children(dialog: T): ReactNode;
}

/** A dialog that is loaded when first opened. If it fails to load, it is closed with a toast, and the screen works without it. */
export function LateDialog<T>({ part, toasts, t, onClose, children }: LateDialogProps<T>) {
  const fail = () => {
    onClose();
    toasts.show({ kind: 'error', text: t('dialog.failed') });
  };
  const loading = <DialogLoading label={t('dialog.loading')} closeLabel={t('close')} onClose={onClose} />;
  return (
    <Late part={part} loading={loading} onFailed={fail}>
      {children}
    </Late>
  );
}
