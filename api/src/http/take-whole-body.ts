import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

/** What nobody reads of a body is taken and dropped before the answer, up to so many bytes and ms. */
const mostDropped = 64 * 1024 * 1024;
const longestWait = 10_000;
/** A sender that sends nothing for so long waits for the answer, in ms. */
const longestSilence = 2000;

/**
 * Answers only once the request has come whole. Many senders read nothing before they have sent everything, and a connection that
 * is closed on them in the middle costs them the answer that says why. A sender that does not end is cut off.
 */
export function takeWholeBody(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.req.complete || ctx.req.destroyed) return;
    if (await drop(ctx.req)) return;
    ctx.set('Connection', 'close');
    ctx.res.once('finish', () => ctx.req.destroy());
  };
}

/** Whether the rest of the body ended within bounds. */
function drop(req: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let dropped = 0;
    const onData = (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > mostDropped) end(false);
      else silence.refresh();
    };
    const onClose = () => end(req.complete);
    const timer = setTimeout(() => end(false), longestWait);
    const silence = setTimeout(() => end(false), longestSilence);
    const end = (isWhole: boolean) => {
      clearTimeout(timer);
      clearTimeout(silence);
      req.off('data', onData);
      req.off('end', onClose);
      req.off('close', onClose);
      if (!isWhole) req.pause();
      resolve(isWhole);
    };
    req.on('data', onData);
    req.on('end', onClose);
    req.on('close', onClose);
    req.on('error', () => undefined);
    req.resume();
  });
}
