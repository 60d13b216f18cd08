import type { KnowledgeCheck } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { useEffect, useRef, useState } from 'react';

export type SaveStep =
  | { is: 'idle' | 'checking' | 'saving' }
  /** Other questions would be answered differently: somebody has to want that. */
  | { is: 'asking'; check: KnowledgeCheck }
  /** What would change could not be found out. */
  | { is: 'unchecked'; message: string }
  | { is: 'failed'; failure: HttpFailure };

export interface CheckedSave {
  step: SaveStep;
  /** Saves at once when no other question is answered differently, else asks first. */
  begin(): Promise<void>;
  /** Saves whatever the check said. */
  goOn(): Promise<void>;
  back(): void;
}

interface Options {
  /** What saving would change besides what it means to. Rejects with an HttpFailure. */
  check(signal: AbortSignal): Promise<KnowledgeCheck>;
  /** Rejects with an HttpFailure. */
  save(): Promise<void>;
  /** It cannot be saved as it is: somebody else was first, say. */
  onRefused?(failure: HttpFailure, by: 'check' | 'save'): void;
}

/** What a check says no to, saving would say no to as well; what else keeps it from answering only leaves its effect unknown. */
const REFUSALS = [400, 403, 404, 409, 413];

/** Looks at what else a deed changes before it is done. Leaving calls the look off, never the deed. */
export function useCheckedSave({ check, save, onRefused }: Options): CheckedSave {
  const [step, setStep] = useState<SaveStep>({ is: 'idle' });
  const leaving = useRef<AbortController | null>(null);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      leaving.current?.abort();
    };
  }, []);
  const set = (next: SaveStep) => {
    if (isHere.current) setStep(next);
  };

  const goOn = async () => {
    set({ is: 'saving' });
    try {
      await save();
      set({ is: 'idle' });
    } catch (error) {
      fail(error as HttpFailure, 'save');
    }
  };
  const fail = (failure: HttpFailure, by: 'check' | 'save') => {
    onRefused?.(failure, by);
    set({ is: 'failed', failure });
  };
  const begin = async () => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    set({ is: 'checking' });
    try {
      const found = await check(signal);
      if (found.changed.length > 0) return set({ is: 'asking', check: found });
    } catch (error) {
      if (signal.aborted) return;
      const failure = error as HttpFailure;
      if (REFUSALS.includes(failure.status)) return fail(failure, 'check');
      return set({ is: 'unchecked', message: failure.message });
    }
    await goOn();
  };
  const back = () => {
    leaving.current?.abort();
    set({ is: 'idle' });
  };
  return { step, begin, goOn, back };
}
