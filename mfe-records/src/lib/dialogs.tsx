import * as design from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import type { ComponentProps } from 'react';
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
