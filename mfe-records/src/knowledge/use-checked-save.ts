import type { ChangedAnswer, KnowledgeChange, KnowledgeCheck } from 'api/contract';
import type { Http, HttpFailure } from 'host/contract';
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
  http: Http;
  change(): KnowledgeChange;
  /** What is meant to change. */
  isMeant?(changed: ChangedAnswer): boolean;
  /** Rejects with an HttpFailure. */
  save(): Promise<void>;
}

/** POST /api/knowledge/check before a deed that changes answers. Leaving calls the check off, never the saving. */
export function useCheckedSave({ http, change, isMeant = () => false, save }: Options): CheckedSave {
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
      set({ is: 'failed', failure: error as HttpFailure });
    }
  };
  const begin = async () => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    set({ is: 'checking' });
    try {
      const { data } = await http.post<KnowledgeCheck>('/api/knowledge/check', change(), { signal });
      const changed = data.changed.filter((one) => !isMeant(one));
      if (changed.length > 0) return set({ is: 'asking', check: { ...data, changed } });
    } catch (error) {
      if (signal.aborted) return;
      return set({ is: 'unchecked', message: (error as HttpFailure).message });
    }
    await goOn();
  };
  const back = () => {
    leaving.current?.abort();
    set({ is: 'idle' });
  };
  return { step, begin, goOn, back };
}
