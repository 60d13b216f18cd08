import type { ModelStatus } from '../../contract/models.ts';
import { type ModelFailureKind, modelFailures } from '../../errors/model-failures.ts';

/** Statistics of a model in this process. */
export interface ModelHealth {
  /** The last failure that was not caused by its question, even if it has answered since; null if there was none. */
  readonly lastOwn: ModelFailureKind | null;
  answered(): void;
  failed(kind: ModelFailureKind, status?: number | null): void;
  report(): Pick<ModelStatus, 'answered' | 'failures' | 'last'>;
}

export function createModelHealth(now: () => Date = () => new Date()): ModelHealth {
  let answered = 0;
  const failures = new Map<ModelFailureKind, number>();
  let lastOwn: ModelFailureKind | null = null;
  let last: { kind: ModelFailureKind; status: number | null; at: Date } | null = null;
  return {
    get lastOwn() {
      return lastOwn;
    },
    answered() {
      answered += 1;
    },
    failed(kind, status = null) {
      failures.set(kind, (failures.get(kind) ?? 0) + 1);
      last = { kind, status, at: now() };
      if (!modelFailures[kind].isQuestions) lastOwn = kind;
    },
    report: () => ({
      answered,
      failures: Object.fromEntries(failures),
      last: last && { ...last, at: last.at.toISOString(), message: modelFailures[last.kind].operators },
    }),
  };
}
