import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react';

/** Below this width a popover is a bottom sheet, see filter-bar.module.css. */
const PHONE = '(max-width: 640px)';
const GAP = 4;
const MARGIN = 12;

interface Layer {
  isOpen: boolean;
  layer: RefObject<HTMLElement | null>;
  /** The button that opened it: it is positioned below, and Escape restores the focus to it. */
  opener: RefObject<HTMLElement | null>;
  close(): void;
}

/**
 * Shows a popover in the top layer, where it is not clipped: below its button, on a phone over the whole page. Escape, and a press or focus
 * outside, close it. Returns its key handler.
 */
export function useLayer({ isOpen, layer, opener, close }: Layer) {
  useLayoutEffect(() => {
    const [shown, from] = [layer.current, opener.current];
    if (!isOpen || !shown || !from) return;
    const place = () => placeUnder(shown, from);
    shown.showPopover?.();
    place();
    (shown.querySelector<HTMLElement>('[data-first]') ?? shown).focus();
    const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(place);
    sizes?.observe(shown);
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    return () => {
      sizes?.disconnect();
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
    };
  }, [isOpen, layer, opener]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target, type }: Event) => {
      const isInside = [layer, opener].some(({ current }) => current?.contains(target as Node));
      // On a phone the popover itself is the backdrop, with the sheet inside.
      const isScrim = type === 'pointerdown' && target === layer.current && isSheet();
      if (!isInside || isScrim) close();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen, layer, opener, close]);

  return (event: KeyboardEvent) => {
    // Escape cancels the composition of an input method.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    // Otherwise the browser would also close a dialog below.
    event.preventDefault();
    close();
    opener.current?.focus();
  };
}

function placeUnder(layer: HTMLElement, opener: HTMLElement): void {
  if (isSheet()) {
    layer.style.left = layer.style.top = '';
    return;
  }
  const { bottom, left, top } = opener.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = layer;
  const { clientWidth, clientHeight } = document.documentElement;
  const fitsBelow = bottom + GAP + offsetHeight + MARGIN <= clientHeight;
  const y = fitsBelow
    ? bottom + GAP
    : Math.max(MARGIN, Math.min(top - GAP, clientHeight - MARGIN) - offsetHeight);
  layer.style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - offsetWidth - MARGIN))}px`;
  layer.style.top = `${y}px`;
}

function isSheet(): boolean {
  return typeof matchMedia === 'function' && matchMedia(PHONE).matches;
}
