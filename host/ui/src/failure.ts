/** Why a call failed: the same fields as `HttpFailure` of the host's contract. */
export interface Failure extends Error {
  /** 0 without a response. */
  status: number;
  error: string;
  field?: string;
  choices?: { id: string; name: string }[];
  requestId?: string;
  retryAfter?: number;
}

/** Turns any thrown value into a failure. Errors that do not come from the host's HTTP client count as a missing response. */
export function asFailure(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return Object.assign(error, { status: 0, error: 'offline', ...error });
}

function isFailure(thrown: unknown): thrown is Failure {
  return thrown instanceof Error && 'status' in thrown && 'error' in thrown;
}
