import type { Updates } from 'host/contract';
import { type RefObject, useEffect, useState } from 'react';

/** Hides the hint of a new version while `isWanted`. */
export function useHold(updates: Updates, isWanted: boolean): void {
  useEffect(() => (isWanted ? updates.hold() : undefined), [updates, isWanted]);
}

/** Hides the hint of a new version while a field of `screen` is not empty. */
export function useHoldWhileTyped(updates: Updates, screen: RefObject<HTMLElement | null>): void {
  const [isTyped, setIsTyped] = useState(false);
  useHold(updates, isTyped);
  useEffect(() => {
    const element = screen.current;
    // Asynchronous: a render before React has handled the event would restore the field's former text. Submitting or closing also clears
    // fields a moment later.
    const look = () => void setTimeout(() => setIsTyped(hasTyped(element)));
    const ending = new AbortController();
    for (const event of ['input', 'submit', 'reset', 'close', 'focusout'])
      element?.addEventListener(event, look, { capture: true, signal: ending.signal });
    return () => ending.abort();
  }, [screen]);
}

function hasTyped(screen: HTMLElement | null): boolean {
  return [...(screen?.querySelectorAll('input') ?? [])].some(
    ({ type, hidden, readOnly, value }) => type !== 'file' && !hidden && !readOnly && value !== '',
  );
}
