import type { ErrorBody } from '../contract/error-body.ts';
import { certificateFailure } from '../errors/certificate-failure.ts';

/** Whether a response body is an error of the API, rather than of a proxy in front of it. */
export function isErrorBody(said: unknown): said is ErrorBody {
  const { error, msg } = (said ?? {}) as Partial<ErrorBody>;
  return typeof error === 'string' && typeof msg === 'string';
}

/** The message for a server that could not be reached: a certificate that this machine does not trust is no wrong address. */
export function unreachableMessage(thrown: unknown): 'unreachable' | 'untrusted' {
  return certificateFailure(thrown) ? 'untrusted' : 'unreachable';
}

/** Why a fetch with the timeout `boundMs` failed: the cause, since `fetch failed` alone is no explanation. */
export function whyUnanswered(thrown: unknown, boundMs: number): string {
  const { name, message, cause } = thrown as Error & { cause?: Error & { code?: string } };
  if (name === 'TimeoutError') return `${boundMs / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}
