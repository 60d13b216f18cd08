import type { Updates } from 'host/contract';

/** Returns a function that hides the hint of a new version while its last argument was true. */
export function createHold(updates: Updates): (isWanted: boolean) => void {
  let letGo: (() => void) | undefined;
  return (isWanted) => {
    if (isWanted === (letGo !== undefined)) return;
    const before = letGo;
    letGo = isWanted ? updates.hold() : undefined;
    before?.();
  };
}
