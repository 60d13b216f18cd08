import type { Storage } from 'host/contract';
import { useEscape } from 'host/ui/escape.ts';
import { useMedia } from 'host/ui/use-media.ts';
import { useCallback, useEffect, useRef, useState } from 'react';

const FOCUSABLE = 'a[href], button:not([disabled]), input, [tabindex="0"]';
const STAYS_USABLE = '[popover], dialog, [data-layer], [aria-hidden], [role="status"], [aria-live]';

/** Starts where the media query of the drawer in the style sheets ends. */
const WIDE = '(min-width: 960.02px)';
const KEY = 'panel';
const COLLAPSED = 'collapsed';

export type SidePanelState = ReturnType<typeof useSidePanel>;

/**
 * State of the side panel. It is read with the first render, so that the first paint has its final width. In narrow windows it is a drawer,
 * which takes the focus, makes the rest of the page inert, and returns the focus when it closes. Escape closes it.
 */
export function useSidePanel(storage: Pick<Storage, 'get' | 'set' | 'remove'>) {
  const panelRef = useRef<HTMLElement>(null);
  /** The button that shows the panel. */
  const openerRef = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCollapsed, setIsCollapsed] = useState(() => storage.get(KEY) === COLLAPSED);
  const wasCollapsed = useRef(isCollapsed);
  const isWide = useMedia(WIDE);
  const isDrawer = isOpen && !isWide;
  useEffect(() => {
    if (isWide) setIsOpen(false);
  }, [isWide]);

  useEffect(() => {
    const panel = panelRef.current;
    if (!isDrawer || !panel) return;
    const opener = document.activeElement;
    const release = makeOthersInert(panel);
    panel.querySelector<HTMLElement>(FOCUSABLE)?.focus();
    return () => {
      const isLeft = panel.contains(document.activeElement) || document.activeElement === document.body;
      release();
      if (isLeft && opener instanceof HTMLElement) opener.focus();
    };
  }, [isDrawer]);

  // The pressed button disappears: the focus moves to the one that reverses it.
  useEffect(() => {
    if (wasCollapsed.current === isCollapsed) return;
    wasCollapsed.current = isCollapsed;
    const hideButton = panelRef.current?.querySelector<HTMLElement>('[aria-controls="side"]');
    (isCollapsed ? openerRef.current : hideButton)?.focus();
  }, [isCollapsed]);

  /** Closes the drawer. Does nothing in a wide window. */
  const close = useCallback(() => setIsOpen(false), []);
  const collapse = (next: boolean) => {
    setIsCollapsed(next);
    if (next) storage.set(KEY, COLLAPSED);
    else storage.remove(KEY);
  };
  useEscape(close, isDrawer);
  return {
    panelRef,
    openerRef,
    /** In narrow windows the panel is a drawer: whether it is open. */
    isOpen: isDrawer,
    /** In wide windows: whether the panel is hidden. Remembered in this browser. */
    isCollapsed,
    /** Opens the drawer, or in wide windows the collapsed panel. */
    show: (): void => (isWide ? collapse(false) : setIsOpen(true)),
    /** Closes the drawer, or in wide windows collapses the panel. */
    hide: (): void => (isWide ? collapse(true) : close()),
    close,
  };
}

/**
 * Makes the page around the drawer inert, except for what lies above it (dialogs, menus, toasts, the backdrop) and live regions, which
 * would no longer be announced. Returns the undo.
 */
function makeOthersInert(panel: HTMLElement): () => void {
  const changed: Element[] = [];
  for (
    let inner: Element = panel;
    inner.parentElement && inner !== document.body;
    inner = inner.parentElement
  )
    for (const other of inner.parentElement.children) {
      if (other === inner || other.hasAttribute('inert') || other.matches(STAYS_USABLE)) continue;
      other.setAttribute('inert', '');
      changed.push(other);
    }
  return () => {
    for (const other of changed) other.removeAttribute('inert');
  };
}
