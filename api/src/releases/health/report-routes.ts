import type { Context } from 'koa';
import { addressKey } from '../../accounts/limit-requests.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import { type Health, HealthQuery, PageReport } from '../../contract/reports.ts';
import { ApiError } from '../../errors/errors.ts';
import { checked } from '../../http/body.ts';
import type { DeskMiddleware } from '../../http/desk-state.ts';
import { jsonReader } from '../../http/read-json.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { PageReports } from './page-reports.ts';

/** Maximum size of one report in bytes. */
const MAX_BYTES = 16 * 1024;
/** Browsers send a beacon of a string with the content type text/plain. */
const readReport = jsonReader({ maxBytes: MAX_BYTES, types: ['application/json', 'text/plain'] });

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
