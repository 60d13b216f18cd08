import type { Updates } from 'host/contract';
import { useEffect } from 'react';

/** Hides the hint of a new version while `isWanted`, because a reload would lose unsaved input. */
export function useHold(updates: Updates, isWanted: boolean): void {
  useEffect(() => (isWanted ? updates.hold() : undefined), [updates, isWanted]);
}
