import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect } from 'react';

/** Below this width a layer is a sheet that rises from the bottom, see filter-bar.module.css. */
const PHONE = '(max-width: 640px)';
const GAP = 4;
const MARGIN = 12;

interface Layer {
  isOpen: boolean;
  layer: RefObject<HTMLElement | null>;
  /** What opened it: it is placed under this, and Esc gives the focus back to it. */
  opener: RefObject<HTMLElement | null>;
  close(): void;
}

/**
 * Holds an open layer in the top layer of the page, where nothing clips it: right under its opener, on a phone over the whole page.
 * Esc, a press and a focus elsewhere close it. Returns the layer's key handler.
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
      // On a phone the layer is the scrim itself, and the sheet lies in it.
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
    // While an input method is composing, Esc ends that alone.
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    // A dialog below is closed by the browser unless the key has been used.
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
