import { useEffect } from 'react';

/** Hides the hint of a new version while `isWanted`, because a reload would lose unsaved input. */
export function useHold(updates: { hold(): () => void }, isWanted: boolean): void {
  useEffect(() => (isWanted ? updates.hold() : undefined), [updates, isWanted]);
}
