import { useEffect, useRef } from 'react';
import { useFrame } from './frame-context.ts';

/** While `isOpen`, a layer that Esc closes unless another one was opened after it. */
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
