import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './button.tsx';
import { closeTopLayer, useEscape } from './escape.ts';
import { Fault } from './fault.tsx';
import { IconButton } from './icon-button.tsx';
import { useLabels } from './labels.ts';
import { useOverlayLayer } from './overlay-layer.ts';

interface DialogProps {
  title: ReactNode;
  titleClassName?: string;
  /** Accessible name, if it is not the title. */
  label?: string;
  /** While an action is running nothing closes the dialog. */
  isBusy?: boolean;
  foot?: ReactNode;
  children: ReactNode;
  /** Long text without controls: the body takes the focus, so that it scrolls by keyboard. */
  isReading?: boolean;
  sheetClassName?: string | undefined;
  bodyClassName?: string | undefined;
  onClose(): void;
  /** Makes the dialog a form. */
  onSubmit?(event: FormEvent): void;
  onKeyDown?(event: KeyboardEvent): void;
}

const FIRST_FIELD =
  '[data-focus-first], input:not([type=checkbox], [type=radio], [type=file], [readonly], :disabled), textarea, select';

/**
 * A native modal dialog, which keeps the focus inside and gives it to its first text field. Escape, the close button, a click beside the
 * sheet and a phone's back gesture close it. The focus then returns to where it was, or else to the page's `#main`. Render it to open it.
 */
export function Dialog(props: DialogProps) {
  const { title, isBusy = false, foot, children, isReading, onSubmit, onKeyDown } = props;
  const titleId = useId();
  const layer = useOverlayLayer();
  const close = () => {
    if (!isBusy) props.onClose();
  };
  const ref = useModal();
  useEscape(close);
  const Sheet = onSubmit ? 'form' : 'div';
  const dialog = (
    <dialog
      className="dialog"
      ref={ref}
      aria-label={props.label}
      aria-labelledby={props.label ? undefined : titleId}
      // Also sent by the back gesture of a phone. The event of a file chooser inside the dialog bubbles up to here, too.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && close()}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (closeTopLayer(event.nativeEvent)) event.stopPropagation();
      }}
    >
      <Sheet
        className={['dialog-sheet', props.sheetClassName].filter(Boolean).join(' ')}
        {...(onSubmit && {
          noValidate: true,
          autoComplete: 'off',
          onSubmit: (event: FormEvent) => {
            event.preventDefault();
            if (!isBusy) onSubmit(event);
          },
        })}
      >
        <header className="dialog-head">
          <h2 id={titleId} className={props.titleClassName} dir="auto">
            {title}
          </h2>
          <IconButton icon="close" label={useLabels().close} onClick={close} />
        </header>
        <div
          className={['dialog-body', props.bodyClassName].filter(Boolean).join(' ')}
          {...(isReading && { tabIndex: 0, role: 'document', 'aria-labelledby': titleId })}
        >
          {children}
        </div>
        {foot && <footer className="dialog-foot">{foot}</footer>}
      </Sheet>
    </dialog>
  );
  return layer ? createPortal(dialog, layer) : dialog;
}

function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const opener = document.activeElement;
    dialog.showModal();
    // On a touch screen the keyboard would cover what is to be read first.
    if (!window.matchMedia?.('(pointer: coarse)').matches)
      dialog.querySelector<HTMLElement>(FIRST_FIELD)?.focus({ preventScroll: true });
    return () => {
      dialog.close();
      const focused = document.activeElement;
      if (focused && focused !== document.body && !dialog.contains(focused)) return;
      const hasOpener = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
      (hasOpener ? opener : document.getElementById('main'))?.focus({ preventScroll: true });
    };
  }, []);
  return ref;
}

interface ActionProps {
  /** Label of the button that closes the dialog, if it does something else than cancelling. */
  cancelLabel?: string | undefined;
  isDanger?: boolean | undefined;
  /** Whether the button is disabled. */
  isOff?: boolean | undefined;
  /** Without it, the button submits the dialog's form. */
  onAct?: (() => void) | undefined;
}

interface DialogActionsProps extends ActionProps {
  onCancel(): void;
  label: string;
  /** The action is running: it cannot be cancelled. */
  isBusy?: boolean | undefined;
  /** Shown before the buttons. */
  children?: ReactNode;
}

/** The foot of a dialog: a button that closes it and a button for its action. */
export function DialogActions(props: DialogActionsProps) {
  const { cancel } = useLabels();
  const {
    cancelLabel = cancel,
    onCancel,
    label,
    isDanger = false,
    isBusy = false,
    isOff = isBusy,
    onAct,
  } = props;
  return (
    <>
      {props.children}
      <Button label={cancelLabel} disabled={isBusy} onClick={onCancel} />
      <button
        className={`button ${isDanger ? 'danger' : 'primary'}`}
        type={onAct ? 'button' : 'submit'}
        aria-disabled={isOff}
        onClick={onAct}
      >
        {label}
      </button>
    </>
  );
}

interface ActionDialogProps extends Omit<DialogProps, 'foot'>, ActionProps {
  /** Label of the action. */
  action: string;
  /** Shown before the buttons. */
  aside?: ReactNode;
  /** Why the action failed. */
  failure?: { message: string } | null;
}

/** A dialog for one action, which can be cancelled until it is running. */
export function ActionDialog(props: ActionDialogProps) {
  const { action, aside, failure, cancelLabel, isDanger, isOff, onAct, children, ...dialog } = props;
  const { onClose: onCancel, isBusy } = dialog;
  const foot = (
    <DialogActions {...{ cancelLabel, isDanger, isBusy, isOff, onAct, onCancel }} label={action}>
      {aside}
    </DialogActions>
  );
  return (
    <Dialog {...dialog} foot={foot}>
      {children}
      {failure && <Fault>{failure.message}</Fault>}
    </Dialog>
  );
}
