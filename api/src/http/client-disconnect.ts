import type { Context } from 'koa';

/**
 * Aborts when the client disconnects, immediately if it already has. Also aborts once the response is sent.
 */
export function clientDisconnected(ctx: Context): AbortSignal {
  const left = new AbortController();
  onResponseEnd(ctx, () => left.abort());
  return left.signal;
}

/**
 * Runs `work` once the response is sent or the client has disconnected. Needed because a response that is
 * already closed emits no further event.
 */
export function onResponseEnd({ req, res }: Context, work: () => void): void {
  if (res.destroyed || req.socket.destroyed) work();
  else res.once('close', work);
}
