import { createContext, useContext } from 'react';
import type { HostServices } from '../contract.ts';
import type { Change } from './change.ts';
import type { Say } from './composition-words.ts';
import type { Formats } from './formats.ts';
import type { OpsCalls } from './ops-calls.ts';

/** What every part of this screen speaks, asks and acts with. */
export interface ScreenContext {
  say: Say;
  formats: Formats;
  calls: OpsCalls;
  /** Of the host's services: what has been caught. */
  report: HostServices['report'];
  /** Begins a change: the ops token where there is none, then the confirmation. */
  change(change: Change): void;
  /** Runs what needs the ops token, after asking for it where there is none. */
  unlock(run: () => void): void;
  /** The server knows this screen's token no more. */
  lock(): void;
}

export const CompositionContext = createContext<ScreenContext | null>(null);

export function useScreen(): ScreenContext {
  const context = useContext(CompositionContext);
  if (!context) throw new Error('useScreen must be used within the composition screen');
  return context;
}
