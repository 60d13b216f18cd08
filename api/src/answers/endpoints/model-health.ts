import type { ModelStatus } from '../../contract/models.ts';
import { type ModelFailureKind, modelFailures } from '../../errors/model-failures.ts';

export type ModelHealth = ReturnType<typeof createModelHealth>;

/** Statistics of a model in this process. */
export function createModelHealth(now: () => Date = () => new Date()) {
  let answered = 0;
  const failures = new Map<ModelFailureKind, number>();
  let lastOwn: ModelFailureKind | null = null;
  let last: { kind: ModelFailureKind; status: number | null; at: Date } | null = null;
  return {
    /**
     * The last failure that was not caused by its question, even if it has answered since; null without one.
     */
    get lastOwn() {
      return lastOwn;
    },
    answered(): void {
      answered += 1;
    },
    failed(kind: ModelFailureKind, status: number | null = null): void {
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
      last = { kind, status, at: now() };
      if (!modelFailures[kind].isQuestions) lastOwn = kind;
    },
    report: (): Pick<ModelStatus, 'answered' | 'failures' | 'last'> => ({
      answered,
      failures: Object.fromEntries(failures),
      last: last && { ...last, at: last.at.toISOString(), message: modelFailures[last.kind].operators },
    }),
  };
}
