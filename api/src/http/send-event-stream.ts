import { once } from 'node:events';
import { clientDisconnected } from './client-disconnect.ts';
import type { DeskContext } from './desk-state.ts';

/** An encoded event. JSON contains no raw line breaks, so one `data:` line is enough. `id` is the reader's position. */
export function encodeEvent({ event, data }: { event: string; data: unknown }, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Interval of comments that keep proxies from closing an idle stream, in ms. */
const commentEveryMs = 15_000;

/**
 * Responds with the encoded server-sent events that `read` yields, with backpressure, until it returns. Its signal aborts when
 * the client disconnects or may no longer read them. Comments fill the pauses. Written without a `Readable`, because a pipeline
 * doubles the memory of an idle stream.
 */
export function sendEventStream(
  ctx: DeskContext,
  read: (signal: AbortSignal) => AsyncGenerator<string>,
  commentMs = commentEveryMs,
): void {
  const left = ctx.state.ended ?? clientDisconnected(ctx);
  ctx.type = 'text/event-stream; charset=utf-8';
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.status = 200;
  ctx.respond = false;
  // After the other middleware, which may still set headers.
  setImmediate(() => void write(ctx, read(left), left, commentMs));
}

async function write(ctx: DeskContext, events: AsyncGenerator<string>, left: AbortSignal, commentMs: number) {
  const { res } = ctx;
  // Sent with the first event, the header would stay in memory as the sixty parts that Node joined it from.
  res.flushHeaders();
  const silence = setInterval(() => res.writableNeedDrain || res.write(': still here\n\n'), commentMs);
  try {
    for await (const text of events) {
      if (left.aborted) break;
      silence.refresh();
      if (!res.write(text)) await once(res, 'drain', { signal: left });
    }
  } catch (cause) {
    if (!left.aborted) {
      ctx.onerror(cause as Error);
      res.destroy();
    }
  } finally {
    clearInterval(silence);
    res.end();
  }
}
