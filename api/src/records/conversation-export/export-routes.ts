import { Readable } from 'node:stream';
import { limitRequests } from '../../accounts/limit-requests.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import { ConversationExportQuery } from '../../contract/archives.ts';
import { limitConcurrency } from '../../http/concurrency-limiter.ts';
import { setFileName } from '../../http/content-disposition.ts';
import { idOf } from '../../http/id-of.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
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
): DeskRoutes {
  const router = createRoutes('/api');

  router.get(
    '/conversations/:id/export',
    limitRequests(limit),
    limitConcurrency(maxOfOwner, maxOfAll),
    ConversationExportQuery,
    async (ctx, { format, tz }) => {
      const { owner, language } = ctx.state;
      const id = idOf(ctx);
      if (format === 'markdown') {
        const { title, pieces } = await conversationExport.markdown(owner, id, { language, tz });
        ctx.type = 'text/markdown; charset=utf-8';
        setFileName(ctx, `${fileNameFrom(title)}.md`, 'conversation.md');
        return Readable.from(pieces, { objectMode: false });
      }
      return sendPdf(ctx, (caller) => conversationExport.pdf(owner, id, { language, tz }, caller));
    },
  );

  return router;
}
