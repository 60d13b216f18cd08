import { Icon } from 'host/ui/icon.tsx';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  closeLabel: string;
  /** Prevents closing while an action is running. */
  isBusy?: boolean;
  foot?: ReactNode;
  children: ReactNode;
  onClose(): void;
}

/** A native modal dialog, which traps and restores the focus. Escape, the close button and a press outside close it. */
export function Dialog({ title, closeLabel, isBusy = false, foot, children, onClose }: DialogProps) {
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
      if (event.target !== dialog) return; // cancel event of a file chooser inside
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
      // Opened by its address, there is no previous focus to restore.
      const held = document.activeElement;
      if (held === document.body || dialog.contains(held))
        document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <dialog className="dialog" ref={ref} aria-labelledby={titleId}>
      <div className="dialog-sheet">
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
        {foot && <footer className="dialog-foot">{foot}</footer>}
      </div>
    </dialog>
  );
}
