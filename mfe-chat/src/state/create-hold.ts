import type { Updates } from 'host/contract';

/** Returns a function that hides the hint of a new version while its last argument was true. */
export function createHold(updates: Updates): (isWanted: boolean) => void {
  let release: (() => void) | undefined;
  return (isWanted) => {
    if (isWanted === (release !== undefined)) return;
    const before = release;
    release = isWanted ? updates.hold() : undefined;
    before?.();
  };
}
