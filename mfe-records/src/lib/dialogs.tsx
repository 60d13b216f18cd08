import * as design from 'host/ui/dialog.tsx';
import { DialogLoading } from 'host/ui/dialog-loading.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import type { Texts } from 'host/ui/texts.ts';
import type { ComponentProps, ComponentType } from 'react';
import { useDesk } from './services.ts';
import { recordTexts } from './texts.ts';

/** A dialog with the label of the close button. */
export function Dialog(props: Omit<ComponentProps<typeof design.Dialog>, 'closeLabel'>) {
  return <design.Dialog closeLabel={useTexts(recordTexts)('close')} {...props} />;
}

type ActionProps = ComponentProps<typeof design.ActionDialog>;

interface ActionDialogProps extends Omit<ActionProps, 'closeLabel' | 'cancelLabel'> {
  cancelLabel?: string;
  /** Why the action failed. */
  failure?: { message: string } | null;
}

export function ActionDialog({ failure, children, ...props }: ActionDialogProps) {
  const t = useTexts(recordTexts);
  return (
    <design.ActionDialog closeLabel={t('close')} cancelLabel={t('cancel')} {...props}>
      {children}
      {failure && <Fault>{failure.message}</Fault>}
    </design.ActionDialog>
  );
}

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
    const loading = <DialogLoading label={t('dialog.loading')} closeLabel={t('close')} onClose={onClose} />;
    return (
      <Late part={part} loading={loading} onFailed={fail}>
        {(Dialog) => <Dialog {...props} />}
      </Late>
    );
  };
}
