import { Readable } from 'node:stream';
import { callerKey } from '../../accounts/limit-requests.ts';
import { clientDisconnected } from '../../http/client-disconnect.ts';
import { setFileName } from '../../http/content-disposition.ts';
import type { DeskContext } from '../../http/desk-state.ts';
import { fileNameFrom } from '../file-name-from.ts';
import type { MadeReport } from './report-job.ts';

const chunkSize = 64 * 1024;

/** A download named after its title. `signal` aborts when the client disconnects: no error. */
export async function sendPdf(
  ctx: DeskContext,
  make: (caller: { caller: string; signal: AbortSignal }) => Promise<MadeReport>,
): Promise<void> {
  const signal = clientDisconnected(ctx);
  try {
    send(ctx, await make({ caller: callerKey(ctx), signal }));
  } catch (cause) {
    if (!signal.aborted) throw cause;
    ctx.body = null;
  }
}

function send(ctx: DeskContext, { title, pages, records, bytes }: MadeReport): void {
  const name = `${fileNameFrom(title)}.pdf`;
  const plain = /^[\w .()-]+$/.test(name) ? name : 'report.pdf';
  ctx.type = 'application/pdf';
  setFileName(ctx, name, plain);
  ctx.set('X-Pages', String(pages));
  ctx.set('X-Records', String(records));
  ctx.body = Readable.from(chunks(bytes), { objectMode: false });
  ctx.length = bytes.length;
}

/** Split for sending with backpressure. */
function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}
