import type { Context } from 'koa';

/**
 * Aborts when the client disconnects, immediately if it already has. Also aborts once the response is sent.
 */
export function callerLeft(ctx: Context): AbortSignal {
  const left = new AbortController();
  whenOver(ctx, () => left.abort());
  return left.signal;
}

/**
 * Runs `work` once the response is sent or the client has disconnected. Needed because a response that is
 * already closed emits no further event.
 */
export function whenOver({ req, res }: Context, work: () => void): void {
  if (res.destroyed || req.socket.destroyed) work();
  else res.once('close', work);
}
