import { Icon } from 'host/ui/icon.tsx';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  closeLabel: string;
  /** Prevents closing while an action is running. */
  isBusy?: boolean;
  foot: ReactNode;
  children: ReactNode;
  onClose(): void;
  onSubmit(): void;
}

/** A native modal dialog with a form, which traps and restores the focus. Escape, the close button and a press outside close it. */
export function Dialog({
  title,
  closeLabel,
  isBusy = false,
  foot,
  children,
  onClose,
  onSubmit,
}: DialogProps) {
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(() => {});
  close.current = () => {
    if (!isBusy) onClose();
  };
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const cancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    const press = (event: Event) => {
      if (event.target === dialog) close.current();
    };
    dialog.addEventListener('cancel', cancel);
    dialog.addEventListener('pointerdown', press);
    dialog.showModal();
    return () => {
      dialog.removeEventListener('cancel', cancel);
      dialog.removeEventListener('pointerdown', press);
      dialog.close();
      // The element that opened it may be gone: the buttons of a canary disappear with it.
      if (document.activeElement === document.body || dialog.contains(document.activeElement))
        document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <dialog className="dialog" ref={ref} aria-labelledby={titleId}>
      <form
        className="dialog-sheet"
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSubmit();
        }}
      >
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button
            className="icon-button"
            type="button"
            aria-label={closeLabel}
            onClick={() => close.current()}
          >
            <Icon name="close" />
          </button>
        </header>
        <div className="dialog-body">{children}</div>
        <footer className="dialog-foot">{foot}</footer>
      </form>
    </dialog>
  );
}
