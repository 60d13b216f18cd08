import { Readable } from 'node:stream';
import type { z } from 'zod';
import { signedIn } from '../accounts/identify.ts';
import { callerKey, limitRequests, meterOf } from '../accounts/limit-requests.ts';
import type { Quotas } from '../accounts/quotas.ts';
import type { RateLimit } from '../accounts/rate-limit.ts';
import type { Config } from '../config/config.ts';
import { ConversationExportQuery, ExportRequest, PdfRequest } from '../contract/archives.ts';
import {
  ContactChange,
  ContactMergeRequest,
  ContactQuery,
  ContactRequest,
  ContactSearch,
} from '../contract/contacts.ts';
import {
  DeleteByContact,
  DeleteByDate,
  DeleteByIds,
  type PurgeReply,
  type UndoReply,
  UndoRequest,
} from '../contract/deletions.ts';
import { PageQuery } from '../contract/fields.ts';
import { ConversationChange, ConversationQuery } from '../contract/records.ts';
import {
  type FeedbackReply,
  FeedbackRequest,
  RecordFilter,
  type RecordStats,
  SearchRequest,
} from '../contract/search.ts';
import { clientDisconnected } from '../http/client-disconnect.ts';
import { limitConcurrency } from '../http/concurrency-limiter.ts';
import { setFileName } from '../http/content-disposition.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { readBody } from '../http/read-body.ts';
import { needJson } from '../http/read-json.ts';
import type { UploadMeter } from '../http/receive-upload.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import type { Download } from './archive/exporting.ts';
import type { OpenRecords } from './open-records.ts';
import type { MadeReport } from './pdf/report-job.ts';
import type { Reports } from './pdf/reports.ts';

/** Maximum concurrent exports of conversations per owner in this process, and in total. */
const maxExportsOfOwner = 2;
const maxExportsOfAll = 32;

/**
 * Routes for the owner's records, their conversations, contacts and statistics, and to delete records. The id of a
 * contact is a phone number or an address, so it is in the body: proxies and logs record paths and queries.
 */
export function createRecordRoutes(
  records: OpenRecords,
  deps: {
    config: Pick<Config, 'guestDays'>;
    limits: { pdf: RateLimit };
    /** Figures about handovers; undefined unless the caller may see them. */
    handoverFigures(ctx: DeskContext): Promise<RecordStats['handovers']>;
  },
): DeskRoutes {
  const { recordList, search, stats, conversations, deletions, contacts, contactBook } = records;
  const router = createRoutes('/api');

  router.get('/records', PageQuery, ({ state }, page) => recordList.page(state.owner, page));
  router.get('/records/:id', (ctx) => recordList.find(ctx.state.owner, idOf(ctx)));

  router.post('/search', SearchRequest, ({ state }, { cursor, limit, ...filter }) =>
    search.page(state.owner, filter, { cursor, limit }),
  );

  const readStats = async (ctx: DeskContext, filter: RecordFilter) => {
    const ofRecords = await stats.of(ctx.state.owner, filter);
    const handovers = await deps.handoverFigures(ctx);
    return handovers ? { ...ofRecords, handovers } : ofRecords;
  };
  router.get('/stats', RecordFilter, readStats);
  router.post('/stats', RecordFilter, readStats);

  router.post('/feedback', FeedbackRequest, async ({ state }, given) => {
    await recordList.rate(state.owner, given);
    return { recordId: given.recordId, rating: given.rating } satisfies FeedbackReply;
  });

  router.get('/conversations', ConversationQuery, async (ctx, { archived, ...page }) => {
    const { owner } = ctx.state;
    const found = await conversations[archived === '1' ? 'archived' : 'list'](owner, page);
    if (owner.startsWith('guest:')) ctx.set('X-Guest-Days', String(deps.config.guestDays));
    return found;
  });

  router.get('/conversations/:id/records', PageQuery, (ctx, page) =>
    conversations.records(ctx.state.owner, idOf(ctx), page),
  );

  router.patch('/conversations/:id', ConversationChange, (ctx, change) =>
    conversations.change(ctx.state.owner, idOf(ctx), change),
  );

  router.delete('/conversations/:id', noBody(), (ctx) =>
    deletions.deleteConversation(ctx.state.owner, idOf(ctx)),
  );

  type Asked = z.output<typeof ContactQuery> | z.output<typeof ContactSearch>;
  const list = ({ state }: DeskContext, { q, details, ...request }: Asked) =>
    (details === true || details === '1' ? contactBook : contacts).list(state.owner, q, request);
  router.get('/contacts', ContactQuery, list);
  router.post('/contacts/search', ContactSearch, list);

  router.post('/contacts/read', ContactRequest, ({ state }, request) =>
    contactBook.find(state.owner, request.id),
  );

  router.patch('/contacts', ContactChange, ({ state }, change) => contactBook.change(state.owner, change));

  router.post('/contacts/merge', ContactMergeRequest, ({ state }, { id, into, dryRun }) =>
    contactBook.merge(state.owner, id, into, dryRun),
  );

  router.post('/undo_contact', UndoRequest, ({ state }, request) =>
    contactBook.undo(state.owner, request.undoToken),
  );

  router.post('/delete_by_contact', DeleteByContact, ({ state }, { contact, dryRun }) =>
    deletions.deleteContact(state.owner, contact, dryRun),
  );

  router.post('/delete_by_date', DeleteByDate, ({ state }, { contact, dryRun, ...days }) =>
    deletions.deleteDays(state.owner, days, contact, dryRun),
  );

  router.post('/delete_by_ids', DeleteByIds, async ({ state: { owner } }, { ids, filter, dryRun }) =>
    ids
      ? await deletions.deleteIds(owner, ids, dryRun)
      : await deletions.deleteFound(owner, filter ?? {}, dryRun),
  );

  router.post('/undo_delete', UndoRequest, async ({ state }, request): Promise<UndoReply> => {
    return { restored: await deletions.undo(state.owner, request.undoToken) };
  });

  router.post('/purge', UndoRequest, async ({ state }, request): Promise<PurgeReply> => {
    return { purged: await deletions.purge(state.owner, request.undoToken) };
  });

  router.get('/bin', PageQuery, ({ state }, page) => deletions.bin(state.owner, page));

  router.get(
    '/conversations/:id/export',
    limitRequests(deps.limits.pdf),
    limitConcurrency(maxExportsOfOwner, maxExportsOfAll),
    ConversationExportQuery,
    async (ctx, { format, tz }) => {
      const { owner, language } = ctx.state;
      const id = idOf(ctx);
      if (format === 'markdown') {
        const { title, pieces } = await records.conversationExport.markdown(owner, id, { language, tz });
        ctx.type = 'text/markdown; charset=utf-8';
        setFileName(ctx, `${fileNameFrom(title)}.md`, 'conversation.md');
        return Readable.from(pieces, { objectMode: false });
      }
      return sendPdf(ctx, (caller) => records.conversationExport.pdf(owner, id, { language, tz }, caller));
    },
  );

  return router;
}

const chunkSize = 64 * 1024;

/** A download named after its title. `signal` aborts when the client disconnects, which is no error. */
async function sendPdf(
  ctx: DeskContext,
  make: (options: { caller: string; signal: AbortSignal }) => Promise<MadeReport>,
): Promise<void> {
  const signal = clientDisconnected(ctx);
  try {
    const { title, pages, records, bytes } = await make({ caller: callerKey(ctx), signal });
    const name = `${fileNameFrom(title)}.pdf`;
    ctx.type = 'application/pdf';
    setFileName(ctx, name, /^[\w .()-]+$/.test(name) ? name : 'report.pdf');
    ctx.set('X-Pages', String(pages));
    ctx.set('X-Records', String(records));
    ctx.body = Readable.from(chunks(bytes), { objectMode: false });
    ctx.length = bytes.length;
  } catch (cause) {
    if (!signal.aborted) throw cause;
    ctx.body = null;
  }
}

/** Split for sending with backpressure. */
function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
}

/** A file name without an ending from a title: without the characters that file systems do not allow. */
function fileNameFrom(title: string): string {
  const name = title.replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, '_').replaceAll(/\s+/g, ' ');
  const cut = [...name.trim()].slice(0, 80).join('');
  return cut.replace(/^\.+|[. ]+$/g, '') || 'report';
}

/** Concurrent reports of an owner, and of all, in this process: each is in memory until it is sent. */
const maxOfOwner = 2;
const maxOfAll = 32;
/** A preview that is no longer needed occupies its place until the disconnect is noticed. */
const maxPreviewsOfOwner = 4;

/** Routes that return a report as PDF, complete or as a preview. */
export function createPdfRoutes(
  reports: Pick<Reports, 'make'>,
  limits: { pdf: RateLimit; preview: RateLimit },
): DeskRoutes {
  const router = createRoutes('/api');

  function add(path: string, limit: RateLimit, max: number, isPreview: boolean): void {
    const limits = [limitRequests(limit), limitConcurrency(max, maxOfAll)] as const;
    router.post(path, limits[0], PdfRequest, limits[1], async (ctx, request) => {
      const { owner, language } = ctx.state;
      await sendPdf(ctx, (caller) => reports.make(owner, language, request, { ...caller, isPreview }));
    });
  }
  add('/generate_pdf', limits.pdf, maxOfOwner, false);
  add('/preview_pdf', limits.preview, maxPreviewsOfOwner, true);

  return router;
}

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
