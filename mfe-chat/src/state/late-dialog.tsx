import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { Late, type LatePart } from 'host/ui/late-part.tsx';
import type { ReactNode } from 'react';
import { useChat } from './chat-context.ts';

interface LateDialogProps<T> {
  part: LatePart<T>;
  onClose(): void;
  /** A menu or card, which shows nothing while it loads. */
  isCard?: boolean;
  children(part: T): ReactNode;
}

/** A dialog, menu or card that is loaded when first opened. If it fails to load, it is closed with a toast. */
export function LateDialog<T>({ part, onClose, isCard = false, children }: LateDialogProps<T>) {
  const { services, t } = useChat();
  const fail = () => {
    onClose();
    services.toasts.show({ kind: 'warning', text: t('partFailed') });
  };
  const loading = <DialogLoading label={t('loading')} closeLabel={t('close')} onClose={onClose} />;
  return (
    <Late part={part} loading={!isCard && loading} onFailed={fail}>
      {children}
    </Late>
  );
}
