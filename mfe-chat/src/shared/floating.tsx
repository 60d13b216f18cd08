import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useChat } from './chat-context.ts';
import { useEscape } from './use-escape.ts';

interface FloatingProps {
  anchor: HTMLElement;
  role: 'menu' | 'dialog';
  label: string;
  className: string;
  /** The edge of the anchor it is aligned with. */
  align: 'start' | 'end';
  /** Its side if there is enough space. */
  side: 'above' | 'below';
  /** Stays open on scrolling, because it contains input; it follows its anchor while that is visible. */
  stays?: boolean;
  onClose(): void;
  onKeyDown?(event: React.KeyboardEvent): void;
  children: ReactNode;
}

const GAP = 6;
const MARGIN = 8;

/**
 * A menu or card beside its anchor, in the screen's top layer so that it is not clipped. Takes and restores the focus. Escape, a press
 * outside, and scrolling the anchor (unless `stays`) close it.
 */
export function Floating({
  anchor,
  role,
  label,
  className,
  align,
  side,
  stays = false,
  onClose,
  onKeyDown,
  children,
}: FloatingProps) {
  const { layer } = useChat();
  const ref = useRef<HTMLDivElement>(null);
  usePlace(ref, anchor, align, side);
  useLeaving(ref, anchor, stays, onClose);
  useEscape(onClose);
  if (!layer) return null;
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is a menu or a dialog
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of which take a label
    <div ref={ref} className={className} role={role} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {children}
    </div>,
    layer,
  );
}

/** Stores the position in custom properties, which the style sheet may ignore: on phones a card is a bottom sheet. */
function usePlace(ref: RefObject<HTMLElement | null>, anchor: HTMLElement, align: string, side: string) {
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const place = () => {
      const from = anchor.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = box;
      const left = align === 'start' ? from.left - 16 : from.right - width;
      const above = from.top - GAP - height;
      const below = from.bottom + GAP;
      const isAbove =
        side === 'above' ? above >= MARGIN : below + height > window.innerHeight - MARGIN && above >= MARGIN;
      box.style.setProperty(
        '--left',
        `${Math.max(MARGIN, Math.min(left, window.innerWidth - width - MARGIN))}px`,
      );
      const lowest = Math.max(MARGIN, window.innerHeight - height - MARGIN);
      const top = Math.max(MARGIN, Math.min(isAbove ? above : below, lowest));
      box.style.setProperty('--top', `${top}px`);
    };
    place();
    // Content loaded later changes its height.
    const growth = new ResizeObserver(place);
    growth.observe(box);
    window.addEventListener('resize', place);
    document.addEventListener('scroll', place, true);
    return () => {
      growth.disconnect();
      document.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [ref, anchor, align, side]);
}

function useLeaving(
  ref: RefObject<HTMLElement | null>,
  anchor: HTMLElement,
  stays: boolean,
  onClose: () => void,
) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const box = ref.current;
    const first = box?.querySelector<HTMLElement>('[data-focus-first]') ?? box;
    first?.focus({ preventScroll: true });
    const press = (event: Event) => {
      const target = event.target as Node;
      const isOver = target instanceof Element && target.closest('dialog'); // a dialog opened from this card
      if (!isOver && !box?.contains(target) && !anchor.contains(target)) close.current();
    };
    const scroll = (event: Event) => {
      if (stays) return;
      if (event.target instanceof Node && !box?.contains(event.target) && event.target.contains(anchor))
        close.current();
    };
    document.addEventListener('pointerdown', press, true);
    document.addEventListener('scroll', scroll, true);
    return () => {
      document.removeEventListener('pointerdown', press, true);
      document.removeEventListener('scroll', scroll, true);
      if (
        !document.activeElement ||
        document.activeElement === document.body ||
        box?.contains(document.activeElement)
      )
        anchor.focus({ preventScroll: true });
    };
  }, [ref, anchor, stays]);
}
