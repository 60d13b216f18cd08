import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createBreaker } from '../model/breaker.ts';
import { EndpointFailure } from '../model/endpoint-failure.ts';
import { createModelHealth, type ModelHealth } from '../model/model-health.ts';
import type { EmbeddingEndpoint } from './embedding-endpoint.ts';

/** Vectors of questions, within a deadline. */
export interface QuestionVectors {
  readonly health: ModelHealth;
  /** False while the endpoint is not asked because it failed repeatedly. */
  readonly isAvailable: boolean;
  /** null where it does not come in time, or the endpoint fails. Never throws. */
  vectorOf(question: string): Promise<Float32Array | null>;
}

const mostKept = 500;
/** A vector that comes too late for its question is kept for the next time, up to here. In ms. */
const timeLimitMs = 5000;
const patience = { failuresToOpen: 3, openMs: 10_000, mostOpenMs: 300_000 };

export function createQuestionVectors(deps: {
  endpoint: EmbeddingEndpoint;
  prefix: string;
  deadlineMs: number;
  log: Pick<Logger, 'warn'>;
}): QuestionVectors {
  const { endpoint, prefix, deadlineMs, log } = deps;
  const breaker = createBreaker(patience);
  const health = createModelHealth();
  const kept = new LRUCache<string, Float32Array>({ max: mostKept });
  const pending = new Map<string, Promise<Float32Array | null>>();

  /** Slow is as bad as failing: questions must not wait again and again in vain. */
  async function ask(question: string): Promise<Float32Array | null> {
    const trial = breaker.enter();
    if (!trial) return null;
    const began = performance.now();
    try {
      const [vector] = await endpoint.embed([prefix + question], Math.max(timeLimitMs, deadlineMs));
      kept.set(question, vector!);
      if (performance.now() - began > deadlineMs) {
        trial.failed();
        health.failed('timeout');
      } else {
        trial.succeeded();
        health.answered();
      }
      return vector!;
    } catch (cause) {
      const failure = cause instanceof EndpointFailure ? cause : new EndpointFailure('malformed');
      if (failure.isQuestions) trial.dropped();
      else trial.failed(failure.retryAfterMs);
      health.failed(failure.kind, failure.status);
      log.warn({ kind: failure.kind, status: failure.status, err: failure }, 'a question was not embedded');
      return null;
    }
  }

  return {
    health,
    get isAvailable() {
      return breaker.isAvailable;
    },
    async vectorOf(question) {
      const known = kept.get(question);
      if (known) return known;
      const asking = pending.get(question) ?? ask(question).finally(() => pending.delete(question));
      pending.set(question, asking);
      return Promise.race([asking, delay(deadlineMs, null, { ref: false })]);
    },
  };
}
