import { limitRequests } from '../../accounts/limit-requests.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import { PdfRequest } from '../../contract/archives.ts';
import { limitConcurrency } from '../../http/concurrency-limiter.ts';
import { type Answer, createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { Reports } from './reports.ts';
import { sendPdf } from './send-pdf.ts';

/** Concurrent reports of an owner, and of all, in this process: each is in memory until it is sent. */
const maxOfOwner = 2;
const maxOfAll = 32;
/** A preview that is no longer needed occupies its place until the disconnect is noticed. */
const maxPreviewsOfOwner = 4;

/** Routes that return a report as PDF, complete or as a preview. */
export function createPdfRoutes({
  reports,
  limits,
}: {
  reports: Pick<Reports, 'make'>;
  limits: { pdf: RateLimit; preview: RateLimit };
}): DeskRoutes {
  const router = createRoutes('/api');

  const send =
    (isPreview: boolean): Answer<PdfRequest> =>
    async (ctx, request) => {
      const { owner, language } = ctx.state;
      await sendPdf(ctx, (caller) => reports.make(owner, language, request, { ...caller, isPreview }));
    };
  router.post(
    '/generate_pdf',
    limitRequests(limits.pdf),
    PdfRequest,
    limitConcurrency(maxOfOwner, maxOfAll),
    send(false),
  );
  router.post(
    '/preview_pdf',
    limitRequests(limits.preview),
    PdfRequest,
    limitConcurrency(maxPreviewsOfOwner, maxOfAll),
    send(true),
  );

  return router;
}
