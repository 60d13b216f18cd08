import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import type { Texts } from 'host/ui/texts.ts';
import type { ComponentType } from 'react';
import { useDesk } from './services.ts';
import { recordTexts } from './texts.ts';

/**
 * A dialog that is loaded when first opened, with its texts. If it fails to load, it is closed with a toast, and the screen works without it.
 */
export function lateDialog<P extends { onClose(): void }>(
  load: () => Promise<ComponentType<P>>,
  texts?: Texts<object>,
): ComponentType<P> {
  const part = createLatePart(load, texts);
  // biome-ignore lint/correctness/noComponentHookFactories: called once per dialog, by a module
  return function LateDialog(props: P) {
    const { t, toasts } = useDesk(recordTexts);
    const { onClose } = props;
    const fail = () => {
      onClose();
      toasts.show({ kind: 'error', text: t('dialog.failed') });
    };
    const loading = <DialogLoading label={t('dialog.loading')} onClose={onClose} />;
    return (
      <Late part={part} loading={loading} onFailed={fail}>
        {(Dialog) => <Dialog {...props} />}
      </Late>
    );
  };
}
