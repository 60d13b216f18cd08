import { autoUpdate, computePosition, flip, offset, type Placement, shift, size } from '@floating-ui/dom';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { createPortal } from 'react-dom';
import { closeTopLayer, useEscape } from './escape.ts';
import { useOverlayLayer } from './overlay-layer.ts';
import styles from './popover.module.css';

interface PopoverProps {
  /** The element beside which the popover opens, usually a button. The focus returns to it. */
  anchor: HTMLElement;
  role?: 'menu' | 'dialog';
  id?: string | undefined;
  label?: string;
  className: string;
  /** The side on which it opens if there is room. Default 'bottom-start'. */
  placement?: Placement;
  /** Distance from the anchor in pixels. Default 6. */
  gap?: number;
  /** Shifts it along the edge of the anchor, in pixels. */
  skidding?: number;
  /** Closes when the anchor is scrolled. By default it follows the anchor. */
  closesOnScroll?: boolean;
  /** Stays open while the focus is elsewhere, so that text typed in it is not lost. */
  isSticky?: boolean;
  isLoading?: boolean;
  onClose(): void;
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void;
  children: ReactNode;
}

const MARGIN = 8;

/**
 * A menu or card beside its anchor, above everything that clips or scrolls. It takes the focus when it opens (`[data-focus-first]`, or
 * else itself) and returns it. Escape, a press and a focus elsewhere close it. Render it to open it. CSS reads its place from
 * `--left` and `--top`, and the available height from `--max-height`.
 */
export function Popover(props: PopoverProps) {
  const { anchor, role, id, label, className, placement = 'bottom-start', gap = 6, skidding = 0 } = props;
  const { closesOnScroll = false, isSticky = false, isLoading, onClose, onKeyDown, children } = props;
  const layer = useOverlayLayer();
  const ref = useRef<HTMLDivElement>(null);
  usePosition(ref, anchor, placement, gap, skidding);
  useFocus(ref, anchor);
  useClosing(ref, anchor, { closesOnScroll, isSticky, onClose });
  useEscape(onClose);
  const popover = (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens to keys of the controls inside
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: menus and dialogs have a label
    <div
      ref={ref}
      id={id}
      className={`${styles.placed} ${className}`}
      role={role}
      aria-label={label}
      aria-busy={isLoading}
      tabIndex={-1}
      popover={layer ? undefined : 'manual'}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (closeTopLayer(event.nativeEvent)) event.stopPropagation();
      }}
    >
      {children}
    </div>
  );
  return layer ? createPortal(popover, layer) : popover;
}

function usePosition(
  ref: RefObject<HTMLElement | null>,
  anchor: HTMLElement,
  placement: Placement,
  gap: number,
  skidding: number,
): void {
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    if (box.popover) box.showPopover?.();
    const options = {
      strategy: 'fixed' as const,
      placement,
      middleware: [
        offset({ mainAxis: gap, crossAxis: skidding }),
        flip({ padding: MARGIN, fallbackStrategy: 'bestFit' as const }),
        shift({ padding: MARGIN, crossAxis: true }),
        size({
          padding: MARGIN,
          apply: ({ availableHeight }) => box.style.setProperty('--max-height', `${availableHeight}px`),
        }),
      ],
    };
    const place = async () => {
      const { x, y } = await computePosition(anchor, box, options);
      box.style.setProperty('--left', `${x}px`);
      box.style.setProperty('--top', `${y}px`);
    };
    return autoUpdate(anchor, box, () => void place());
  }, [ref, anchor, placement, gap, skidding]);
}

function useFocus(ref: RefObject<HTMLElement | null>, anchor: HTMLElement): void {
  useLayoutEffect(() => {
    const box = ref.current;
    (box?.querySelector<HTMLElement>('[data-focus-first]') ?? box)?.focus({ preventScroll: true });
    return () => {
      const focused = document.activeElement;
      if (!focused || focused === document.body || box?.contains(focused))
        anchor.focus({ preventScroll: true });
    };
  }, [ref, anchor]);
}

function useClosing(
  ref: RefObject<HTMLElement | null>,
  anchor: HTMLElement,
  options: Required<Pick<PopoverProps, 'closesOnScroll' | 'isSticky' | 'onClose'>>,
): void {
  const { closesOnScroll, isSticky, onClose } = options;
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const box = ref.current;
    const isOutside = ({ target }: Event) => {
      if (!(target instanceof Node) || box?.contains(target) || anchor.contains(target)) return false;
      // A dialog that was opened from here lies above it.
      const dialog = target instanceof Element ? target.closest('dialog') : null;
      return dialog === null || dialog.contains(anchor);
    };
    const press = (event: Event) => {
      if (isOutside(event) || (box !== null && event.target === box && coversScreen(box))) close.current();
    };
    const focus = (event: Event) => {
      if (!isSticky && isOutside(event)) close.current();
    };
    const scroll = ({ target }: Event) => {
      if (closesOnScroll && target instanceof Node && !box?.contains(target) && target.contains(anchor))
        close.current();
    };
    const gone = new AbortController();
    const { signal } = gone;
    document.addEventListener('pointerdown', press, { capture: true, signal });
    document.addEventListener('focusin', focus, { signal });
    document.addEventListener('scroll', scroll, { capture: true, signal });
    return () => gone.abort();
  }, [ref, anchor, closesOnScroll, isSticky]);
}

/** On phones a style sheet may turn the popover into the backdrop of its contents: a press on it is then a press outside. */
function coversScreen({ offsetWidth, offsetHeight }: HTMLElement): boolean {
  return offsetWidth >= window.innerWidth && offsetHeight >= window.innerHeight;
}
