import { setTimeout as wait } from 'node:timers/promises';
import { EndpointFailure } from '../endpoints/endpoint-failure.ts';
import type { ModelPatience } from '../endpoints/patience.ts';
import type { Endpoint, ModelMessage } from './endpoint.ts';

/** Maximum wait for the number of tokens after the end of an answer, in ms. */
const afterTheEndMs = 1000;

/**
 * Streams a model's answer and reasoning. Temporary failures (408, 409, 425, 429, 5xx, broken connections)
 * are retried after a pause, within the timeout of the first token and only before the first piece. The
 * request ends when the reader stops or `signal` aborts.
 *
 * @throws EndpointFailure for any failure.
 */
export async function* streamModel(
  endpoint: Endpoint,
  messages: readonly ModelMessage[],
  patience: ModelPatience,
  signal: AbortSignal,
) {
  const began = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    let said = false;
    try {
      const firstTokenMs = Math.max(1, patience.firstTokenMs - (performance.now() - began));
      const limits = { firstTokenMs, idleMs: patience.idleMs };
      for await (const delta of attemptOnce(endpoint, messages, limits, signal)) {
        said ||= delta.content !== '' || delta.reasoning !== '';
        yield delta;
      }
      return;
    } catch (failure) {
      if (signal.aborted) return;
      const pauseMs = said ? null : pauseBefore(failure, attempt, patience);
      if (pauseMs === null || performance.now() - began + pauseMs > patience.firstTokenMs) throw failure;
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}

async function* attemptOnce(
  endpoint: Endpoint,
  messages: readonly ModelMessage[],
  { firstTokenMs, idleMs }: Pick<ModelPatience, 'firstTokenMs' | 'idleMs'>,
  signal: AbortSignal,
) {
  const request = new AbortController();
  let isSilent = false;
  const fallSilent = () => {
    isSilent = true;
    request.abort();
  };
  let timer = setTimeout(fallSilent, firstTokenMs);
  const allow = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(fallSilent, ms);
  };
  let isOver = false;
  try {
    const ended = AbortSignal.any([signal, request.signal]);
    for await (const delta of endpoint.complete(messages, ended)) {
      const isSaying = delta.content !== '' || delta.reasoning !== '';
      isOver ||= delta.end !== null;
      // Empty chunks do not extend the timeout: an endpoint could send them forever.
      if (isOver) allow(afterTheEndMs);
      else if (isSaying) allow(idleMs);
      if (isSaying || delta.tokens !== null || delta.end !== null || delta.hasToolCall) yield delta;
    }
  } catch (failure) {
    if (isOver) return;
    if (isSilent && !signal.aborted)
      throw new EndpointFailure('timeout', { detail: 'the model fell silent' });
    throw failure;
  } finally {
    clearTimeout(timer);
    request.abort();
  }
}

/** The pause before the next attempt, in ms; null if there is none. */
function pauseBefore(failure: unknown, attempt: number, patience: ModelPatience): number | null {
  if (attempt >= patience.retries || !(failure instanceof EndpointFailure) || !failure.isPassing) return null;
  const asked = failure.retryAfterMs;
  if (asked !== null) return asked > patience.maxWaitMs ? null : asked;
  // With jitter, so that clients with the same failure do not retry at the same time.
  const maxMs = Math.min(patience.maxWaitMs, patience.waitMs * 2 ** attempt);
  return maxMs * (0.5 + Math.random() / 2);
}
