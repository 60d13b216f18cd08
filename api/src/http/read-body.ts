import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { ApiError, invalidRequest } from '../errors/errors.ts';

interface BodyBounds {
  /** Bytes. Default: no limit. */
  maxBytes?: number;
  /** Inactivity after which the client counts as disconnected, in ms. Default 60 s. */
  maxSilenceMs?: number;
}

/**
 * The body of a request as a stream, for bodies that are never held in memory as a whole; read on demand. A
 * refused body is left unread: see drain-body.ts.
 * @throws tooLarge, invalidRequest('body') if the client disconnects.
 */
export async function* readBody(
  { req }: Pick<Context, 'req'>,
  { maxBytes = Number.POSITIVE_INFINITY, maxSilenceMs = 60_000 }: BodyBounds = {},
): AsyncGenerator<Buffer> {
  let size = 0;
  req.setTimeout(maxSilenceMs, () => req.destroy());
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBytes) throw new ApiError('too_large');
      yield chunk;
    }
  } catch (cause) {
    throw isDisconnected(req) ? invalidRequest('body', 'invalid_http') : cause;
  } finally {
    req.setTimeout(0);
  }
}

/** Whether the client left before the request was complete: nobody reads the response, and it is no server error. */
export function isDisconnected(req: IncomingMessage): boolean {
  return req.destroyed && !req.complete;
}
