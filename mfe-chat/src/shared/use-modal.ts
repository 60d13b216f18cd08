import { type RefObject, useEffect, useRef } from 'react';
import { useEscape } from './use-escape.ts';

/** Opens a native modal dialog, which traps the focus and restores it. Escape and a press outside call `onClose`. */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEscape(onClose);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const opener = document.activeElement;
    // Fired by Escape and by the back gesture of phones.
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
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return ref;
}
