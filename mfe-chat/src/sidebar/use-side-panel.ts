import type { Storage } from 'host/contract';
import { useEscape } from 'host/ui/escape.ts';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

export interface SidePanelState {
  panelRef: RefObject<HTMLElement | null>;
  /** The button that shows the panel. */
  openerRef: RefObject<HTMLButtonElement | null>;
  /** In narrow windows the panel is a drawer: whether it is open. */
  isOpen: boolean;
  /** In wide windows: whether the panel is hidden. Remembered in this browser. */
  isCollapsed: boolean;
  /** Opens the drawer, or in wide windows the collapsed panel. */
  show(): void;
  /** Closes the drawer, or in wide windows collapses the panel. */
  hide(): void;
  /** Closes the drawer. A wide window's panel stays as it is. */
  close(): void;
}

const FOCUSABLE = 'a[href], button:not([disabled]), input, [tabindex="0"]';
/** Wider than the drawer's media query in the style sheets. */
const WIDE = '(min-width: 960.02px)';
const KEY = 'panel';
const COLLAPSED = 'collapsed';

/**
 * State of the side panel. It is read with the first render, so that the first paint has its final width. In narrow windows the drawer takes the
 * focus, traps it and restores it; Escape closes it.
 */
export function useSidePanel(storage: Pick<Storage, 'get' | 'set' | 'remove'>): SidePanelState {
  const panelRef = useRef<HTMLElement>(null);
  const openerRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCollapsed, setIsCollapsed] = useState(() => storage.get(KEY) === COLLAPSED);
  const wasCollapsed = useRef(isCollapsed);

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

  // The pressed button disappears: the focus moves to the one that reverses it.
  useEffect(() => {
    if (wasCollapsed.current === isCollapsed) return;
    wasCollapsed.current = isCollapsed;
    const hideButton = panelRef.current?.querySelector<HTMLElement>('[aria-controls="side"]');
    (isCollapsed ? openerRef.current : hideButton)?.focus();
  }, [isCollapsed]);

  const close = useCallback(() => setIsOpen(false), []);
  const collapse = (next: boolean) => {
    setIsCollapsed(next);
    if (next) storage.set(KEY, COLLAPSED);
    else storage.remove(KEY);
  };
  const isWide = () => window.matchMedia?.(WIDE).matches ?? false;
  useEscape(close, isOpen);
  return {
    panelRef,
    openerRef,
    isOpen,
    isCollapsed,
    show: () => (isWide() ? collapse(false) : setIsOpen(true)),
    hide: () => (isWide() ? collapse(true) : close()),
    close,
  };
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
