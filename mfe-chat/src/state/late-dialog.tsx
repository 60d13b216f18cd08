import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { LabelsProvider } from 'host/ui/labels.ts';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import type { Texts } from 'host/ui/texts.ts';
import { type ComponentType, type ReactNode, useMemo } from 'react';
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
      <ChatLabels>
        <Late part={part} loading={!isCard && loading} onFailed={fail}>
          {(Dialog) => <Dialog {...props} />}
        </Late>
      </ChatLabels>
    );
  }
  return Object.assign(LateDialog, { part });
}

/** Provides the labels of dialogs and problems. Not around the whole screen, whose first chunk must stay small. */
export function ChatLabels({ children }: { children: ReactNode }) {
  const { t } = useChat();
  const labels = useMemo(() => ({ close: t('close'), cancel: t('cancelEdit'), retry: t('tryAgain') }), [t]);
  return <LabelsProvider value={labels}>{children}</LabelsProvider>;
}
