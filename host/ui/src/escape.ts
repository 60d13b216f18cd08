import { useEffect, useRef } from 'react';

type Close = (event: KeyboardEvent) => boolean;

let layers: readonly Close[] = [];

/**
 * Adds a layer, such as a menu, that the Escape key closes unless another one was added after it. `close` returns false if there is nothing
 * to close; then the layer below is closed. A key that a field or a menu has handled (default prevented), or that belongs to an input
 * method, closes nothing. Returns a function that removes the layer.
 */
export function addEscapeLayer(close: Close): () => void {
  const layer: Close = (event) => close(event);
  if (layers.length === 0) document.addEventListener('keydown', closeTopLayer);
  layers = [...layers, layer];
  return () => {
    layers = layers.filter((one) => one !== layer);
    if (layers.length === 0) document.removeEventListener('keydown', closeTopLayer);
  };
}

/** A layer that Escape closes while `isOpen`. */
export function useEscape(onClose: () => void, isOpen = true): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!isOpen) return;
    return addEscapeLayer(() => {
      close.current();
      return true;
    });
  }, [isOpen]);
}

/**
 * Closes the top layer if `event` is the Escape key. Overlays call it for keys pressed inside and stop the event, because other releases in
 * the page have their own layers and must not close one, too.
 */
export function closeTopLayer(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || event.keyCode === 229)
    return false;
  if (layers.toReversed().some((close) => close(event))) event.preventDefault();
  return event.defaultPrevented;
}
