import { useEffect } from 'react';
import type { Consultation } from '../conversation/consultation-port.ts';

/**
 * Ctrl + P loads the whole conversation before printing, because browsers print only what is in the page. Printing from the browser's menu
 * cannot be delayed: the printout then says that earlier messages are missing.
 */
export function useCompletePrint({ state$, loadAll }: Pick<Consultation, 'state$' | 'loadAll'>): void {
  useEffect(() => {
    const keyDown = async (event: KeyboardEvent) => {
      const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'p';
      if (!isPrint || event.shiftKey || !state$.value.hasOlder) return;
      event.preventDefault();
      await loadAll();
      requestAnimationFrame(() => setTimeout(() => window.print()));
    };
    window.addEventListener('keydown', keyDown);
    return () => window.removeEventListener('keydown', keyDown);
  }, [state$, loadAll]);
}
