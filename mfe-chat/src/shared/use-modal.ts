import { type RefObject, useEffect, useRef } from 'react';
import { useEscape } from './use-escape.ts';

/**
 * Opens a native dialog over everything, which holds the focus inside by itself, and gives the focus back at its end. Esc and a press
 * beside the sheet call `onClose`.
 */
export function useModal(onClose: () => void): RefObject<HTMLDialogElement | null> {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEscape(onClose);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const opener = document.activeElement;
    // The back gesture of a phone.
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
