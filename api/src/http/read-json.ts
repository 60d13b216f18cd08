import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { ApiError, invalidRequest } from '../errors/errors.ts';
import { isDisconnected } from './read-body.ts';

const maxDepth = 32;

interface JsonBounds {
  /** Bytes. Default 256 KB. */
  maxBytes?: number;
  /** Time for the body to arrive, in ms. Default 30 s: the server allows archives an hour. */
  withinMs?: number;
  /** Accepted content types. Default application/json. */
  types?: string[];
}

/**
 * Parses the JSON body of a request; undefined without a body. A refused body is left unread, see
 * `drainBody`.
 * @throws unsupported_type for another content type, too_large, request_timeout for a stalled body, and
 * invalidRequest('body') if it is not well-formed UTF-8 JSON, or nested too deeply.
 */
export function jsonReader(bounds: JsonBounds = {}): (ctx: Context) => Promise<unknown> {
  const { maxBytes = 256 * 1024, withinMs = 30_000, types = ['application/json'] } = bounds;
  const parse = koaBody({
    jsonTypes: types,
    jsonLimit: maxBytes,
    jsonStrict: false,
    urlencoded: false,
    text: false,
    parsedMethods: Object.values(HttpMethodEnum),
  });
  return async (ctx) => {
    const { headers } = ctx.req;
    if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return undefined;
    if (!types.some((type) => isPlainUtf8(ctx, type))) throw new ApiError('unsupported_type');
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer) => chunks.push(chunk);
    ctx.req.on('data', onData);
    try {
      const parsing = parse(ctx, () => Promise.resolve());
      await inTime(parsing, withinMs);
    } catch (cause) {
      if (cause instanceof SyntaxError) {
        // The text that the parser had received.
        if ('body' in cause && String(cause.body).trim() === '') return undefined;
        throw invalidRequest('body', 'invalid_json');
      }
      if ((cause as { status?: number }).status === 413) throw new ApiError('too_large');
      if (isDisconnected(ctx.req)) throw invalidRequest('body', 'invalid_http');
      throw cause;
    } finally {
      ctx.req.off('data', onData);
    }
    // The parser silently replaces invalid UTF-8.
    const { body } = ctx.request;
    if (!isUtf8(Buffer.concat(chunks)) || isTooDeep(body)) throw invalidRequest('body', 'invalid_json');
    return body;
  };
}

/** Reads JSON with the default limits. */
export const readJson = jsonReader();

/** To be checked before anything else. @throws unsupported_type, too_large */
export function needJson(ctx: Context, maxBytes: number): void {
  if (!isPlainUtf8(ctx, 'application/json')) throw new ApiError('unsupported_type');
  if (Number(ctx.req.headers['content-length'] ?? 0) > maxBytes) throw new ApiError('too_large');
}

/** Whether the headers declare this content type in UTF-8, uncompressed. */
function isPlainUtf8(ctx: Context, wanted: string): boolean {
  const { type, charset } = ctx.request;
  return (
    type.trim().toLowerCase() === wanted &&
    /^(utf-?8)?$/i.test(charset) &&
    /^(identity)?$/i.test(ctx.get('Content-Encoding'))
  );
}

async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ApiError('request_timeout')), ms);
  // Its result after the timeout is ignored.
  work.catch(() => undefined);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const nested = level.filter((value) => typeof value === 'object' && value !== null);
    if (nested.length === 0) return false;
    level = nested.flatMap((value) => Object.values(value));
  }
  return true;
}
