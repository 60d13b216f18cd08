import type { Updates } from 'host/contract';
import { useEffect } from 'react';

/** Keeps the hint of a new version away for as long as `isWanted`: somebody is in the middle of something that a reload would lose. */
export function useHold(updates: Updates, isWanted: boolean): void {
  useEffect(() => (isWanted ? updates.hold() : undefined), [updates, isWanted]);
}
