/**
 * Why a call failed, `HttpFailure` of the host's contract. `status` is 0 without a response; `error` is then 'offline' or 'aborted'. `message`
 * is a sentence in the visitor's language, ready to be shown.
 */
export interface Failure extends Error {
  status: number;
  error: string;
  field?: string;
  /** The contacts that match an ambiguous name, with the error `ambiguous_contact`. Since 1.1.0. */
  choices?: { id: string; name: string }[];
  requestId?: string;
  /** Seconds to wait before a retry, from the Retry-After header. */
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
