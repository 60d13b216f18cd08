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
    const look = () => setIsTyped(hasTyped(element));
    // What is sent or closed empties its fields a moment later.
    const lookLater = () => void setTimeout(look);
    element?.addEventListener('input', look);
    for (const event of ['submit', 'reset', 'close', 'focusout'])
      element?.addEventListener(event, lookLater, true);
    return () => {
      element?.removeEventListener('input', look);
      for (const event of ['submit', 'reset', 'close', 'focusout'])
        element?.removeEventListener(event, lookLater, true);
    };
  }, [screen]);
}

function hasTyped(screen: HTMLElement | null): boolean {
  return [...(screen?.querySelectorAll('input') ?? [])].some(
    ({ type, hidden, readOnly, value }) => type !== 'file' && !hidden && !readOnly && value !== '',
  );
}
