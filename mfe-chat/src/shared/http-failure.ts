import type { HttpFailure } from 'host/contract';

/** The failure of a rejected call, for any thrown value. */
export function asFailure(
  reason: unknown,
): Pick<HttpFailure, 'status' | 'error' | 'message' | 'retryAfter' | 'choices'> {
  if (reason instanceof Error && 'status' in reason && 'error' in reason) return reason as HttpFailure;
  return { status: 0, error: 'offline', message: reason instanceof Error ? reason.message : String(reason) };
}
