import { useAction } from 'host/ui/use-action.ts';
import { createContext, useContext } from 'react';
import type { HostServices } from '../contract.ts';
import type { Change } from './change.ts';
import type { CompositionTranslate } from './composition-texts.ts';
import type { Formats } from './formats.ts';
import type { OpsCalls } from './ops-calls.ts';

/** Services shared by all parts of this screen. */
interface ScreenContext {
  t: CompositionTranslate;
  formats: Formats;
  calls: OpsCalls;
  toasts: HostServices['toasts'];
  /** Starts a change: asks for the ops token if necessary, then for confirmation. */
  change(change: Change): void;
  /** Runs an action that needs the ops token, after asking for it if necessary. */
  unlock(run: () => void): void;
  /** Clears the token after the server has rejected it. */
  lock(): void;
}

export const CompositionContext = createContext<ScreenContext | null>(null);

export function useScreen(): ScreenContext {
  const context = useContext(CompositionContext);
  if (!context) throw new Error('useScreen must be used within the composition screen');
  return context;
}

/** A write with the ops token, which is cleared if the server has rejected it. */
export function useOpsAction() {
  const { lock } = useScreen();
  return useAction({ onFailure: ({ error }) => error === 'ops_token_wrong' && lock() });
}
