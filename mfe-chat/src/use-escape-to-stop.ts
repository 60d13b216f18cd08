import { useEffect } from 'react';
import type { Consultation } from './consultation-port.ts';

/** Esc closes the top layer, and where there is none stops the answer that is running. */
export function useEscapeToStop(consultation: Consultation): void {
  useEffect(() => {
    const stop = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || event.keyCode === 229)
        return;
      const isInLayer = document.activeElement?.closest('dialog, [role=dialog], [role=menu], [popover]');
      if (isInLayer || document.querySelector('dialog[open]')) return;
      if (consultation.state$.value.runningKey) void consultation.stop();
    };
    document.addEventListener('keydown', stop);
    return () => document.removeEventListener('keydown', stop);
  }, [consultation]);
}
