import type { Context } from 'koa';
import { invalidRequest, tooLarge, unsupportedType } from '../errors/errors.ts';
import { isPlainUtf8 } from './read-json.ts';

/** Inactivity after which an uploading client counts as disconnected, in ms. */
const longestSilence = 60_000;

/**
 * The JSON of a request as it comes, for bodies that are never held as a whole: no more is read than is asked for.
 * What is refused is left unread: see take-whole-body.ts.
 *
 * @throws unsupportedType for another content type, tooLarge above `most` bytes, invalidRequest('body') for a sender that left.
 */
export async function* readJsonStream(
  { req }: Context,
  most: number,
  silence = longestSilence,
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

/** To be asked before anything else. @throws unsupportedType, tooLarge */
export function needJson(ctx: Context, most: number): void {
  if (!isPlainUtf8(ctx, 'application/json')) throw unsupportedType();
  if (Number(ctx.req.headers['content-length'] ?? 0) > most) throw tooLarge();
}
