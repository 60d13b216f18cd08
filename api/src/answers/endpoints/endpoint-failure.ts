import { text as readText } from 'node:stream/consumers';
import { certificateAdvice } from '../../errors/certificate-failure.ts';
import { type ModelFailureKind, modelFailures } from '../../errors/model-failures.ts';

/** A failure of an endpoint. Its message never quotes the response, which may contain the key. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
  readonly kind: ModelFailureKind;
  /** HTTP status; null without an error status. */
  readonly status: number | null;
  /** `Retry-After` in ms; null without one. */
  readonly retryAfterMs: number | null;

  /** @param detail what happened exactly; default: the message of the kind. */
  constructor(
    kind: ModelFailureKind,
    { detail = '', status = null, retryAfterMs = null }: Partial<FailureDetails> = {},
  ) {
    super(detail || modelFailures[kind].operators);
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether another attempt may succeed. */
  get isPassing(): boolean {
    return modelFailures[this.kind].isPassing ?? false;
  }

  /** Whether it was caused by the question, so that the next one may succeed. */
  get isQuestions(): boolean {
    return modelFailures[this.kind].isQuestions ?? false;
  }
}

interface FailureDetails {
  detail: string;
  status: number | null;
  retryAfterMs: number | null;
}

/** Any error as a failure of an endpoint. */
export function failureOf(cause: unknown): EndpointFailure {
  return cause instanceof EndpointFailure ? cause : new EndpointFailure('malformed');
}

/** Maximum size of an error body that is read for its code, in bytes. */
const maxErrorBody = 16_384;

/** The failure of an error response, by its status and the code in its body. */
export async function refusalOf(response: Response, hasKey: boolean): Promise<EndpointFailure> {
  const { status, headers } = response;
  const text = await errorText(response);
  return new EndpointFailure(kindOfRefusal(status, text, hasKey), {
    detail: `the endpoint answered ${status}`,
    status,
    retryAfterMs: retryAfterMs(headers),
  });
}

/** The failure of an error that was sent instead of a chunk. */
export function chunkErrorOf(error: unknown): EndpointFailure {
  const text = textOfError(error);
  const { code } = (error ?? {}) as { code?: unknown };
  const status = typeof code === 'number' && code >= 400 && code < 600 ? code : 500;
  return new EndpointFailure(kindOfRefusal(status, text, true), {
    detail: 'the endpoint sent an error in place of a chunk',
  });
}

function kindOfRefusal(status: number, text: string, hasKey: boolean): ModelFailureKind {
  if (status >= 300 && status < 400) return 'wrong_address';
  const named = namedKinds.find(([pattern]) => pattern.test(text))?.[1];
  if (status < 500 && named) return named;
  if (status === 401 || status === 403) return hasKey ? 'invalid_key' : 'missing_key';
  if (status === 402) return 'no_credit';
  if (status === 404) return 'unknown_model';
  if (status === 413) return 'too_long';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'server_error';
  return 'rejected';
}

/**
 * Error texts of OpenAI, Azure, DeepSeek, DashScope, vLLM, llama.cpp and Ollama that say more than the
 * status.
 */
const namedKinds: readonly [RegExp, ModelFailureKind][] = [
  [/content_filter|content_policy|data_inspection_failed|responsibleai/, 'content_filter'],
  [/context_length|context length|context size|context window|maximum context|too many tokens/, 'too_long'],
  [/insufficient_quota|insufficient balance|arrearage|billing/, 'no_credit'],
  [/model_not_found|model not (?:found|exist)|model .{0,80}(?:not found|does not exist)/, 'unknown_model'],
  [/invalid_api_key|incorrect api key|invalid api key/, 'invalid_key'],
];

async function errorText({ body }: Response): Promise<string> {
  try {
    return body ? textOfError(JSON.parse(await readText(bounded(body, maxErrorBody)))) : '';
  } catch {
    return '';
  }
}

/** Code, type and message of an error in lower case. Only for classification, never shown. */
function textOfError(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const { error = body } = body as { error?: unknown };
  if (typeof error === 'string') return error.toLowerCase();
  const { code, type, message } = (error ?? {}) as Record<string, unknown>;
  return [code, type, message]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 2000)
    .toLowerCase();
}

/** The value in ms of `Retry-After` (RFC 9110: seconds or a date) or `retry-after-ms`; null without one. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | null {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const given = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** @throws EndpointFailure for a body of more than `maxBytes`. */
export async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  let left = maxBytes;
  for await (const bytes of body) {
    left -= bytes.length;
    if (left < 0)
      throw new EndpointFailure('malformed', {
        detail: `the endpoint sent more than ${maxBytes / 1_000_000} MB in one piece`,
      });
    yield bytes;
  }
}

/** The failure of a request. Only the code of its cause is kept, as the rest may contain the address. */
export function unreachable(message: string, cause: unknown): EndpointFailure {
  const advice = certificateAdvice(cause);
  if (advice) return new EndpointFailure('unreachable', { detail: `${message}: ${advice}` });
  const { code } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as { code?: unknown };
  const reason = typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  return new EndpointFailure('unreachable', { detail: message + reason });
}
