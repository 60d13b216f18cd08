import { useEffect, useRef } from 'react';
import { useFrame } from './frame-context.ts';

/** Adds a layer that Escape closes while `isOpen`, unless another one was opened later. */
export function useEscape(onClose: () => void, isOpen = true): void {
  const { escapeLayers } = useFrame();
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!isOpen) return;
    return escapeLayers.add(() => {
      close.current();
      return true;
    });
  }, [escapeLayers, isOpen]);
}
