import type { Context } from 'koa';
import type { Logger } from 'pino';
import { z } from 'zod';
import { addressKey } from '../../accounts/limit-requests.ts';
import { createLocalRateLimit, type RateLimit } from '../../accounts/rate-limit.ts';
import { type Health, HealthQuery, PageReport } from '../../contract/reports.ts';
import { ApiError } from '../../errors/errors.ts';
import { checked } from '../../http/body.ts';
import type { DeskMiddleware } from '../../http/desk-state.ts';
import { jsonReader } from '../../http/read-json.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { PageReports } from './page-reports.ts';

/** Browsers send a beacon of a string with the content type text/plain. */
const readReport = jsonReader({ maxBytes: 16 * 1024, types: ['application/json', 'text/plain'] });

/** Routes for reports of pages, and for reading the resulting health statistics. */
export function createReportRoutes(deps: {
  pageReports: Pick<PageReports, 'take'>;
  overrides: { isActive(ctx: Context): boolean };
  readHealth(minutes: number): Promise<Health>;
  ops: Pick<OpsGuard, 'needReader'>;
  /** Rate limit of reports by address. */
  limits: { reports: RateLimit };
}): DeskRoutes {
  const { pageReports, overrides, readHealth, ops, limits } = deps;
  const router = createRoutes('/ops');

  router.post('/reports', ownPagesOnly, async (ctx) => {
    const address = addressKey(ctx.ip);
    await limits.reports.take(address);
    const report = checked(PageReport, (await readReport(ctx)) ?? {}, 'body');
    // Like the pages that are served with an override: a developer, a preview or a smoke run is no visitor.
    if (!overrides.isActive(ctx)) await pageReports.take(report, address);
  });

  router.get('/health', ops.needReader, HealthQuery, (_, { minutes }) => readHealth(minutes));

  return router;
}

/**
 * Any site could make its visitors' browsers send text here, from many addresses. Browsers mark such
 * requests, and they are refused (https://www.w3.org/TR/fetch-metadata/).
 */
const ownPagesOnly: DeskMiddleware = (ctx, next) => {
  if (!/^(same-origin)?$/.test(ctx.get('Sec-Fetch-Site'))) throw new ApiError('forbidden');
  return next();
};

/** Maximum number of violations in one request; browsers send a few at a time. */
const MOST = 20;
/** Log lines per minute from all reports in this process: anyone can send them. */
const LINES_A_MINUTE = 60;

const Text = z
  .string()
  .optional()
  .transform((text) => text?.slice(0, 300));
const Reports = z
  .array(
    z.object({
      type: z.string().max(100),
      body: z.object({
        documentURL: Text,
        blockedURL: Text,
        effectiveDirective: Text,
        destination: Text,
        sourceFile: z.string().nullish(),
      }),
    }),
  )
  .max(MOST);

const readReports = jsonReader({ maxBytes: 64 * 1024, types: ['application/reports+json'] });

/**
 * POST /ops/violations: violations that browsers report on our pages, by the Reporting API
 * (https://www.w3.org/TR/reporting-1/). Open to anyone, rate limited. They are logged without URL parts that
 * could identify a visitor.
 */
export function createViolationRoutes(deps: {
  log: Pick<Logger, 'warn'>;
  /** Rate limit of requests by address. */
  limits: { reports: RateLimit };
}): DeskRoutes {
  const { log, limits } = deps;
  const router = createRoutes();
  const lines = createLocalRateLimit(LINES_A_MINUTE);
  const mayLog = () =>
    lines.take('').then(
      () => true,
      () => false,
    );

  router.post('/ops/violations', async (ctx) => {
    await limits.reports.take(addressKey(ctx.ip));
    for (const { type, body } of checked(Reports, (await readReports(ctx)) ?? [], 'body')) {
      if (isExtension(body.sourceFile) || isExtension(body.blockedURL)) continue;
      if (!(await mayLog())) break;
      log.warn(
        {
          type: type.slice(0, 100),
          page: withoutQuery(body.documentURL),
          blocked: withoutQuery(body.blockedURL),
          directive: body.effectiveDirective ?? body.destination,
        },
        'a browser reported a violation on a page',
      );
    }
  });

  return router;
}

/** Violations caused by a visitor's own extensions are ignored. */
function isExtension(address: string | null | undefined): boolean {
  return /^[a-z-]*extension:/.test(address ?? '');
}

function withoutQuery(address: string | undefined): string | undefined {
  return address?.replace(/[?#].*$/s, '');
}
