import type { Context } from 'koa';

/** Aborts when the caller leaves; at once where that was so before anybody asked. Also once the answer is sent. */
export function callerLeft(ctx: Context): AbortSignal {
  const left = new AbortController();
  whenOver(ctx, () => left.abort());
  return left.signal;
}

/** Does `work` once the answer is sent or its caller has left. A response that is closed already says so no more. */
export function whenOver({ req, res }: Context, work: () => void): void {
  if (res.destroyed || req.socket.destroyed) work();
  else res.once('close', work);
}
