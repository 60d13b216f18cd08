import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
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

/** An unread body is discarded up to this size in bytes, for this time, and while it continues to arrive. */
const maxDropped = 64 * 1024 * 1024;
const maxWaitMs = 10_000;
const maxSilenceMs = 2000;

/**
 * Delays the response until the request has been received completely, or disconnects the client after the limits. Many
 * clients read nothing until they have sent everything: they would miss an error response on a closed connection.
 */
export function drainBody(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.req.complete || ctx.req.destroyed) return;
    if (await drop(ctx.req)) return;
    ctx.set('Connection', 'close');
    ctx.res.once('finish', () => ctx.req.destroy());
  };
}

/** Whether the rest of the body ended within the limits. */
function drop(req: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let dropped = 0;
    const onData = (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > maxDropped) end(false);
      else silence.refresh();
    };
    const onClose = () => end(req.complete);
    const timer = setTimeout(() => end(false), maxWaitMs);
    const silence = setTimeout(() => end(false), maxSilenceMs);
    const end = (isWhole: boolean) => {
      clearTimeout(timer);
      clearTimeout(silence);
      req.off('data', onData).off('end', onClose).off('close', onClose);
      if (!isWhole) req.pause();
      resolve(isWhole);
    };
    req.on('data', onData).on('end', onClose).on('close', onClose);
    req.on('error', () => undefined).resume();
  });
}
