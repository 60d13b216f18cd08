import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

/** One signal, and listener, for each response. */
const signals = new WeakMap<ServerResponse, AbortSignal>();

/** Aborts when the client disconnects or has disconnected, and once the response is sent. */
export function clientDisconnected(ctx: Context): AbortSignal {
  const known = signals.get(ctx.res);
  if (known) return known;
  const left = new AbortController();
  signals.set(ctx.res, left.signal);
  onResponseEnd(ctx, () => left.abort());
  return left.signal;
}

/** Calls `work` when the response ends, at once if it is closed already: then there is no further event. */
export function onResponseEnd({ req, res }: Context, work: () => void): void {
  if (res.destroyed || req.socket.destroyed) work();
  else res.once('close', work);
}
