import Router from '@koa/router';
import { z } from 'zod';
import { callerKey, limitRequests } from '../../accounts/limit-requests.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import { body, bodyOf, trimmedText } from '../../http/body.ts';
import { clientDisconnected } from '../../http/client-disconnect.ts';
import { limitConcurrency } from '../../http/concurrency-limiter.ts';
import type { DeskMiddleware, DeskRouter } from '../../http/desk-state.ts';
import { withoutUndefined } from '../../http/without-undefined.ts';
import { Filter, TimeZone } from '../search/record-filter.ts';
import type { Reports } from './reports.ts';
import { sendPdf } from './send-pdf.ts';

/**
 * Maximum concurrent reports per owner in this process, and in total: each stays in memory until it has been
 * sent.
 */
const maxOfOwner = 2;
const maxOfAll = 32;
/** A preview that is no longer needed occupies its place until the disconnect is noticed. */
const maxPreviewsOfOwner = 4;

const Request = z
  .object({
    ids: z.array(z.string().max(100)).min(1).optional(),
    filter: Filter.optional(),
    title: trimmedText(200).optional(),
    mask: z.boolean().optional(),
    questionsOnly: z.boolean().optional(),
    tz: TimeZone.optional(),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), { path: ['filter'] });

/** Routes that return a report as PDF, complete or as a preview. */
export function createPdfRoutes({
  reports,
  identify,
  limits,
}: {
  reports: Pick<Reports, 'make'>;
  identify: DeskMiddleware;
  limits: { pdf: RateLimit; preview: RateLimit };
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  const send =
    (isPreview: boolean): DeskMiddleware =>
    async (ctx) => {
      const { owner, language } = ctx.state;
      const { filter, ...rest } = bodyOf(ctx, Request);
      const request = withoutUndefined({ ...rest, filter: filter && withoutUndefined(filter) });
      const left = clientDisconnected(ctx);
      try {
        sendPdf(
          ctx,
          await reports.make(owner, language, request, { caller: callerKey(ctx), signal: left, isPreview }),
        );
      } catch (cause) {
        // The client has disconnected.
        if (!left.aborted) throw cause;
        ctx.body = null;
      }
    };
  router.post(
    '/generate_pdf',
    identify,
    limitRequests(limits.pdf),
    body(Request),
    limitConcurrency(maxOfOwner, maxOfAll),
    send(false),
  );
  router.post(
    '/preview_pdf',
    identify,
    limitRequests(limits.preview),
    body(Request),
    limitConcurrency(maxPreviewsOfOwner, maxOfAll),
    send(true),
  );

  return router;
}
