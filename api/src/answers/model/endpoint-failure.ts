/**
 * What went wrong with an endpoint. The message never quotes what the endpoint sent, which may hold the key that it was sent, or the
 * visitor's words.
 */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
  /** HTTP status; null where none came, or a good one. */
  readonly status: number | null;
  /** Another attempt may fare better. */
  readonly isPassing: boolean;
  /** The next question may fare better: too long, or not to the model's taste. Says nothing of how the endpoint is. */
  readonly isQuestions: boolean;
  /** What `Retry-After` asks for, in ms; null without one. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    details: {
      status?: number;
      isPassing?: boolean;
      isQuestions?: boolean;
      retryAfterMs?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.status = details.status ?? null;
    this.isPassing = details.isPassing ?? false;
    this.isQuestions = details.isQuestions ?? [400, 413, 422].includes(details.status ?? 0);
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** `Retry-After` of RFC 9110 (seconds or a date), and `retry-after-ms` as some endpoints send it besides. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | null {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
