import type { HttpFailure } from 'host/contract';

/** What a call rejected with, whatever threw it. */
export function asFailure(
  reason: unknown,
): Pick<HttpFailure, 'status' | 'error' | 'message' | 'retryAfter' | 'choices'> {
  if (reason instanceof Error && 'status' in reason && 'error' in reason) return reason as HttpFailure;
  return { status: 0, error: 'offline', message: reason instanceof Error ? reason.message : String(reason) };
}
