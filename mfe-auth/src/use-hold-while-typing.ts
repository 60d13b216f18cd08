import type { Updates } from 'host/contract';
import { useHold } from 'host/ui/use-hold.ts';
import { type RefObject, useEffect, useState } from 'react';

/** Hides the hint of a new version while a field of `screen` is not empty. */
export function useHoldWhileTyping(updates: Updates, screen: RefObject<HTMLElement | null>): void {
  const [hasText, setHasText] = useState(false);
  useHold(updates, hasText);
  useEffect(() => {
    const element = screen.current;
    // Asynchronous: a render before React has handled the event would restore the field's former text. Submitting or closing also clears
    // fields a moment later.
    const check = () => void setTimeout(() => setHasText(hasTypedText(element)));
    const unmounted = new AbortController();
    for (const event of ['input', 'submit', 'reset', 'close', 'focusout'])
      element?.addEventListener(event, check, { capture: true, signal: unmounted.signal });
    return () => unmounted.abort();
  }, [screen]);
}

function hasTypedText(screen: HTMLElement | null): boolean {
  return [...(screen?.querySelectorAll('input') ?? [])].some(
    ({ type, hidden, readOnly, value }) => type !== 'file' && !hidden && !readOnly && value !== '',
  );
}
