import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createBreaker } from '../endpoints/breaker.ts';
import { failureOf } from '../endpoints/endpoint-failure.ts';
import { createModelHealth } from '../endpoints/model-health.ts';
import type { EmbeddingEndpoint } from './embedding-endpoint.ts';

const maxCached = 500;

/** Minimum timeout of a request, in ms. A vector that comes after the deadline is cached. */
const minTimeoutMs = 5000;
const patience = { failuresToOpen: 3, openMs: 10_000, maxOpenMs: 300_000 };

/** Computes the vectors of questions within a deadline. */
export function createQuestionVectors(deps: {
  endpoint: EmbeddingEndpoint;
  prefix: string;
  deadlineMs: number;
  log: Pick<Logger, 'warn'>;
}) {
  const { endpoint, prefix, deadlineMs, log } = deps;
  const breaker = createBreaker(patience);
  const health = createModelHealth();
  const cache = new LRUCache<string, Float32Array>({ max: maxCached });
  const pending = new Map<string, Promise<Float32Array | null>>();

  /** An answer after the deadline counts as a failure, so that questions do not wait for a slow endpoint. */
  async function ask(question: string): Promise<Float32Array | null> {
    const trial = breaker.enter();
    if (!trial) return null;
    const began = performance.now();
    try {
      const [vector] = await endpoint.embed([prefix + question], Math.max(minTimeoutMs, deadlineMs));
      cache.set(question, vector!);
      if (performance.now() - began > deadlineMs) {
        trial.failed();
        health.failed('timeout');
      } else {
        trial.succeeded();
        health.answered();
      }
      return vector!;
    } catch (cause) {
      const failure = failureOf(cause);
      if (failure.isQuestions) trial.dropped();
      else trial.failed(failure.retryAfterMs);
      health.failed(failure.kind, failure.status);
      log.warn({ kind: failure.kind, status: failure.status, err: failure }, 'a question was not embedded');
      return null;
    }
  }

  return {
    health,
    /** false while the endpoint is not asked because it failed repeatedly. */
    get isAvailable() {
      return breaker.isAvailable;
    },
    /** null after the deadline or a failure of the endpoint. Never throws. */
    async vectorOf(question: string): Promise<Float32Array | null> {
      const cached = cache.get(question);
      if (cached) return cached;
      const asking = pending.get(question) ?? ask(question).finally(() => pending.delete(question));
      pending.set(question, asking);
      return Promise.race([asking, delay(deadlineMs, null, { ref: false })]);
    },
  };
}
