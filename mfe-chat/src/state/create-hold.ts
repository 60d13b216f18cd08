import type { Updates } from 'host/contract';

/** Returns a function that hides the hint of a new version after `true`, and allows it after `false`. */
export function createHold(updates: Updates): (isWanted: boolean) => void {
  let release: (() => void) | undefined;
  return (isWanted) => {
    if (isWanted === (release !== undefined)) return;
    const before = release;
    release = isWanted ? updates.hold() : undefined;
    before?.();
  };
}
