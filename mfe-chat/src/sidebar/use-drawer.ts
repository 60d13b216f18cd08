import { useEscape } from 'host/ui/escape.ts';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

interface Drawer {
  panelRef: RefObject<HTMLElement | null>;
  isOpen: boolean;
  open(): void;
  close(): void;
}

const FOCUSABLE = 'a[href], button:not([disabled]), input, [tabindex="0"]';

/** State of the side panel in narrow windows: takes the focus, traps it, restores it; Escape closes it. */
export function useDrawer(): Drawer {
  const panelRef = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);

  useEffect(() => {
    const panel = panelRef.current;
    if (!isOpen || !panel) return;
    const opener = document.activeElement;
    const focusable = () => [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)];
    focusable()[0]?.focus();
    const keyDown = (event: KeyboardEvent) => {
      if (event.key === 'Tab') keepInside(event, focusable());
    };
    document.addEventListener('keydown', keyDown, true);
    return () => {
      document.removeEventListener('keydown', keyDown, true);
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, [isOpen]);

  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  useEscape(close, isOpen);
  return { panelRef, isOpen, open, close };
}

function keepInside(event: KeyboardEvent, elements: readonly HTMLElement[]): void {
  const first = elements[0];
  const last = elements.at(-1);
  const isInside = elements.includes(document.activeElement as HTMLElement);
  const target = event.shiftKey ? last : first;
  const edge = event.shiftKey ? first : last;
  if (!target || (isInside && document.activeElement !== edge)) return;
  event.preventDefault();
  target.focus();
}
