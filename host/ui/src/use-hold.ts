import { useEffect } from 'react';

/** What the hook needs of the service `updates`. */
/** Hides the hint of a new version while `isWanted`, because a reload would lose unsaved input. */
export function useHold(updates: { hold(): () => void }, isWanted: boolean): void {
  useEffect(() => (isWanted ? updates.hold() : undefined), [updates, isWanted]);
}
