import { Readable } from 'node:stream';
import Router from '@koa/router';
import { limitRequests } from '../../accounts/limit-requests.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import { ConversationExportQuery } from '../../contract/archives.ts';
import { queryOf } from '../../http/body.ts';
import { limitConcurrency } from '../../http/concurrency-limiter.ts';
import { setFileName } from '../../http/content-disposition.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import { idOf } from '../../http/id-of.ts';
import { fileNameFrom } from '../file-name-from.ts';
import type { OpenRecords } from '../open-records.ts';
import { sendPdf } from '../pdf/send-pdf.ts';

/** Maximum concurrent exports per owner in this process, and in total. */
const maxOfOwner = 2;
const maxOfAll = 32;

/** Route that returns one of the owner's conversations as a file. */
export function createConversationExportRoutes(
  { conversationExport }: OpenRecords,
  limit: RateLimit,
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get(
    '/conversations/:id/export',
    limitRequests(limit),
    limitConcurrency(maxOfOwner, maxOfAll),
    async (ctx) => {
      const { owner, language } = ctx.state;
      const { format, tz } = queryOf(ctx, ConversationExportQuery);
      const id = idOf(ctx);
      if (format === 'markdown') {
        const { title, pieces } = await conversationExport.markdown(owner, id, { language, tz });
        ctx.type = 'text/markdown; charset=utf-8';
        setFileName(ctx, `${fileNameFrom(title)}.md`, 'conversation.md');
        ctx.body = Readable.from(pieces, { objectMode: false });
        return;
      }
      await sendPdf(ctx, (caller) => conversationExport.pdf(owner, id, { language, tz }, caller));
    },
  );

  return router;
}
