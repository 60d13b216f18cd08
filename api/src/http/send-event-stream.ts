import { Readable } from 'node:stream';
import { clientDisconnected } from './client-disconnect.ts';
import type { DeskContext } from './desk-state.ts';
import { withComments } from './with-comments.ts';

/** An encoded event. JSON contains no raw line breaks, so one `data:` line is enough. `id` is the reader's position. */
export function encodeEvent({ event, data }: { event: string; data: unknown }, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Interval of comments that keep proxies from closing an idle stream, in ms. */
const commentEveryMs = 15_000;

/**
 * Responds with the encoded server-sent events that `read` yields, with backpressure, until it returns or the
 * client disconnects or may no longer read them, which aborts its signal.
 */
export function sendEventStream(
  ctx: DeskContext,
  read: (signal: AbortSignal) => AsyncGenerator<string>,
): void {
  const { ended } = ctx.state;
  const left = ended ? AbortSignal.any([clientDisconnected(ctx), ended]) : clientDisconnected(ctx);
  ctx.type = 'text/event-stream; charset=utf-8';
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.status = 200;
  const events = withComments(read(left), commentEveryMs, left);
  ctx.body = Readable.from(events, { objectMode: true, highWaterMark: 1 });
}
