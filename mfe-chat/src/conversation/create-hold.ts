import type { Updates } from 'host/contract';

/** Keeps the hint of a new version away for as long as the last word was true. */
export function createHold(updates: Updates): (isWanted: boolean) => void {
  let letGo: (() => void) | undefined;
  return (isWanted) => {
    if (isWanted === (letGo !== undefined)) return;
    const before = letGo;
    letGo = isWanted ? updates.hold() : undefined;
    before?.();
  };
}
