import type { Updates } from 'host/contract';
import { type RefObject, useEffect, useState } from 'react';

/** Keeps the hint of a new version away for as long as `isWanted`. */
export function useHold(updates: Updates, isWanted: boolean): void {
  useEffect(() => (isWanted ? updates.hold() : undefined), [updates, isWanted]);
}

/** Keeps it away for as long as something typed stands in a field of `screen`. */
export function useHoldWhileTyped(updates: Updates, screen: RefObject<HTMLElement | null>): void {
  const [isTyped, setIsTyped] = useState(false);
  useHold(updates, isTyped);
  useEffect(() => {
    const element = screen.current;
    // Never at once: a render before React has heard the event would put a field's former text back. And what is sent or closed
    // empties its fields a moment later.
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
