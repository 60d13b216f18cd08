import type { Context } from 'koa';
import { invalidRequest, tooLarge, unsupportedType } from '../errors/errors.ts';
import { isPlainUtf8 } from './read-json.ts';

/** Inactivity after which an uploading client counts as disconnected, in ms. */
const maxSilenceMs = 60_000;

/**
 * The JSON body of a request as a stream, for bodies that are never held in memory as a whole; read on
 * demand. A refused body is left unread: see drain-body.ts.
 * @throws unsupportedType for another content type, tooLarge above `most` bytes, invalidRequest('body') if
 * the client disconnects.
 */
export async function* readJsonStream(
  { req }: Context,
  most: number,
  silence = maxSilenceMs,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  req.setTimeout(silence, () => req.destroy());
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > most) throw tooLarge();
      yield chunk;
    }
  } catch (cause) {
    // The client disconnected: nobody reads the response, and it is no server error.
    if (req.destroyed && !req.complete) throw invalidRequest('body', 'invalid_http');
    throw cause;
  } finally {
    req.setTimeout(0);
  }
}

/** To be checked before anything else. @throws unsupportedType, tooLarge */
export function needJson(ctx: Context, most: number): void {
  if (!isPlainUtf8(ctx, 'application/json')) throw unsupportedType();
  if (Number(ctx.req.headers['content-length'] ?? 0) > most) throw tooLarge();
}
