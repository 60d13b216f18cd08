import type { KnowledgeCheck } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { asFailure } from 'host/ui/failure.ts';
import { useEffect, useRef, useState } from 'react';

export type SaveStep =
  | { status: 'idle' | 'checking' | 'saving' }
  /** Other questions would be answered differently: needs confirmation. */
  | { status: 'asking'; check: KnowledgeCheck }
  /** The effect could not be determined. */
  | { status: 'unchecked'; message: string }
  | { status: 'failed'; failure: HttpFailure };

interface Options {
  /** What is saved, as text. Changing it cancels a check, whose result would be about the former text. */
  subject: string;
  /** Returns the unintended effects of saving. Rejects with an HttpFailure. */
  check(signal: AbortSignal): Promise<KnowledgeCheck>;
  /** Rejects with an HttpFailure. */
  save(): Promise<void>;
  /** Called if the change cannot be saved, for example because of another change. */
  onRefused?(failure: HttpFailure, by: 'check' | 'save'): void;
}

/** Status codes with which saving would fail, too. Any other failure of the check only leaves the effect unknown. */
const REFUSALS = [400, 403, 404, 409, 413];

/** Checks the effect of an action before performing it. Unmounting cancels the check, but never the action. */
export function useCheckedSave({ subject, check, save, onRefused }: Options) {
  const [step, setStep] = useState<SaveStep>({ status: 'idle' });
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the subject changes
  useEffect(() => {
    leaving.current?.abort();
    setStep((before) => (before.status === 'checking' ? { status: 'idle' } : before));
  }, [subject]);

  /** Saves regardless of the check. */
  const goOn = async (): Promise<void> => {
    setStep({ status: 'saving' });
    try {
      await save();
      setStep({ status: 'idle' });
    } catch (error) {
      fail(asFailure(error), 'save');
    }
  };
  const fail = (failure: HttpFailure, by: 'check' | 'save') => {
    onRefused?.(failure, by);
    setStep({ status: 'failed', failure });
  };
  /** Saves immediately if no other question is answered differently, and no golden one worse; otherwise asks for confirmation. */
  const begin = async (): Promise<void> => {
    const controller = new AbortController();
    leaving.current = controller;
    const { signal } = controller;
    setStep({ status: 'checking' });
    try {
      const found = await check(signal);
      if (signal.aborted) return;
      const isWorse = found.golden.some(({ before, after }) => before.passes && !after.passes);
      if (found.changed.length > 0 || isWorse) return setStep({ status: 'asking', check: found });
    } catch (error) {
      if (signal.aborted) return;
      const failure = asFailure(error);
      if (REFUSALS.includes(failure.status)) return fail(failure, 'check');
      return setStep({ status: 'unchecked', message: failure.message });
    }
    await goOn();
  };
  const back = (): void => {
    leaving.current?.abort();
    setStep({ status: 'idle' });
  };
  return { step, begin, goOn, back };
}
