import { Readable } from 'node:stream';
import { signedIn } from '../../accounts/identify.ts';
import { meterOf } from '../../accounts/limit-requests.ts';
import type { Quotas } from '../../accounts/quotas.ts';
import { ExportRequest } from '../../contract/archives.ts';
import { noBody } from '../../http/body.ts';
import { limitConcurrency } from '../../http/concurrency-limiter.ts';
import { setFileName } from '../../http/content-disposition.ts';
import type { DeskContext } from '../../http/desk-state.ts';
import { readBody } from '../../http/read-body.ts';
import { needJson } from '../../http/read-json.ts';
import type { UploadMeter } from '../../http/receive-upload.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { OpenRecords } from '../open-records.ts';
import type { Download } from './exporting.ts';

/** Maximum size of an archive in bytes. */
const maxArchiveBytes = 256 * 1024 * 1024;
/** Maximum number of concurrent exports per owner in this process. */
const maxExports = 2;

/** Routes to export and import records. */
export function createArchiveRoutes(
  { exporting, importing }: Pick<OpenRecords, 'exporting' | 'importing'>,
  quotas: Pick<Quotas, 'meter'>,
): DeskRoutes {
  const limitExports = limitConcurrency(maxExports);
  const router = createRoutes();

  router.post('/api/export', ExportRequest, limitExports, async (ctx, request) => {
    const { owner, language } = ctx.state;
    send(ctx, await exporting.records(owner, language, request));
  });

  router.post('/api/import', async (ctx) => {
    needJson(ctx, maxArchiveBytes);
    const { owner, language } = ctx.state;
    const meter = meterOf(quotas)(ctx);
    await meter.expect(Number(ctx.get('Content-Length') || 0));
    return importing.take(owner, language, counted(readBody(ctx, { maxBytes: maxArchiveBytes }), meter));
  });

  router.get('/admin/export', noBody(), limitExports, async (ctx) => {
    const { user } = signedIn(ctx);
    send(ctx, await exporting.account(user._id, ctx.state.language));
  });

  return router;
}

/** Counts received bytes, also of archives that turn out invalid: earlier records are stored. */
async function* counted(chunks: AsyncIterable<Uint8Array>, meter: UploadMeter): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) {
      await meter.take(chunk.length);
      yield chunk;
    }
  } finally {
    await meter.finish();
  }
}

/** An error in the middle closes the connection: a partial file is not taken for a complete one. */
function send(ctx: DeskContext, { name, type, pieces }: Download): void {
  ctx.type = type;
  setFileName(ctx, name, `desk${name.replace(/[^\w.-]+/g, '')}`);
  ctx.body = Readable.from(pieces, { objectMode: false });
}
