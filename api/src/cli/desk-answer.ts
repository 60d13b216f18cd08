import type { ErrorBody } from '../contract/contract.ts';

/** Whether `said` is how a desk says no. What stands in front of it may answer, too. */
export function isErrorBody(said: unknown): said is ErrorBody {
  const { error, msg } = (said ?? {}) as Partial<ErrorBody>;
  return typeof error === 'string' && typeof msg === 'string';
}

/** Why a fetch of at most `boundMs` was not answered: `fetch failed` says nothing; what it was caused by does. */
export function whyUnanswered(thrown: unknown, boundMs: number): string {
  const { name, message, cause } = thrown as Error & { cause?: Error & { code?: string } };
  if (name === 'TimeoutError') return `${boundMs / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}
