import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import type { Texts } from 'host/ui/texts.ts';
import type { ComponentType } from 'react';
import { useChat } from './chat-context.ts';

interface LateDialogOptions {
  /** Loaded together with the dialog. */
  texts?: Texts<object>;
  /** A menu or card, which shows nothing while it loads. */
  isCard?: boolean;
}

/**
 * A dialog, menu or card that is loaded when first opened, or in advance by its `part`. If it fails to load, it is closed with a toast.
 */
export function lateDialog<P extends { onClose(): void }>(
  load: () => Promise<ComponentType<P>>,
  { texts, isCard = false }: LateDialogOptions = {},
) {
  const part = createLatePart(load, texts);
  // biome-ignore lint/correctness/noComponentHookFactories: called once per dialog, by a module
  function LateDialog(props: P) {
    const { services, t } = useChat();
    const { onClose } = props;
    const fail = () => {
      onClose();
      services.toasts.show({ kind: 'warning', text: t('partFailed') });
    };
    const loading = <DialogLoading label={t('loading')} onClose={onClose} />;
    return (
      <Late part={part} loading={!isCard && loading} onFailed={fail}>
        {(Dialog) => <Dialog {...props} />}
      </Late>
    );
  }
  return Object.assign(LateDialog, { part });
}
