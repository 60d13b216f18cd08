import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { addressKey } from '../../accounts/limit-requests.ts';
import type { RateLimit } from '../../accounts/rate-limit.ts';
import type { Health, PageReport } from '../../contract/reports.ts';
import { ApiError } from '../../errors/errors.ts';
import { checked, queryOf } from '../../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../../http/desk-state.ts';
import { jsonReader } from '../../http/read-json.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { PageReports } from './page-reports.ts';

/** Maximum size of one report in bytes. */
const MAX_BYTES = 16 * 1024;
/** Ten minutes in ms: a page that took longer was suspended. */
const MAX_MS = 600_000;

const release = { remote: z.string().min(1).max(100), version: z.string().min(1).max(200) };
const Milliseconds = z.number().min(0).max(MAX_MS);
const ErrorText = z.string().max(MAX_BYTES);
const VITALS = { LCP: MAX_MS, INP: MAX_MS, CLS: 1000 } as const;

const Event = z.discriminatedUnion('kind', [
  z.object({ ...release, kind: z.literal('load'), ms: Milliseconds }),
  z.object({
    ...release,
    kind: z.literal('failure'),
    phase: z.enum(['load', 'render']),
    expose: z.string().max(200),
    error: ErrorText,
  }),
  z.object({ ...release, kind: z.literal('error'), error: ErrorText }),
  z
    .object({
      ...release,
      kind: z.literal('vital'),
      name: z.enum(['LCP', 'INP', 'CLS']),
      value: z.number().min(0),
    })
    .refine(({ name, value }) => value <= VITALS[name], { path: ['value'] }),
]);

/** Browsers send a beacon of a string with the content type text/plain. */
const readReport = jsonReader({ maxBytes: MAX_BYTES, types: ['application/json', 'text/plain'] });

const Report = z.object({
  page: z.string().regex(/^[\w-]{8,64}$/),
  composition: z.string().regex(/^[0-9a-f]{64}$/),
  events: z.array(Event).max(40),
}) satisfies z.ZodType<PageReport>;

const HealthQuery = z.object({
  minutes: z
    .string()
    .regex(/^\d{1,5}$/)
    .default('60')
    .transform(Number)
    .pipe(z.number().min(5).max(10_080)),
});

/** Routes for reports of pages, and for reading the resulting health statistics. */
export function createReportRoutes(deps: {
  pageReports: Pick<PageReports, 'take'>;
  overrides: { isActive(ctx: Context): boolean };
  readHealth(minutes: number): Promise<Health>;
  ops: Pick<OpsGuard, 'needReader'>;
  /** Rate limit of reports by address. */
  limits: { reports: RateLimit };
}): DeskRouter {
  const { pageReports, overrides, readHealth, ops, limits } = deps;
  const router: DeskRouter = new Router({ prefix: '/ops' });

  router.post('/reports', ownPagesOnly, async (ctx) => {
    const address = addressKey(ctx.ip);
    await limits.reports.take(address);
    const report = checked(Report, (await readReport(ctx)) ?? {}, 'body');
    // Like the pages that are served with an override: a developer, a preview or a smoke run is no visitor.
    if (!overrides.isActive(ctx)) await pageReports.take(report, address);
    ctx.status = 204;
  });

  router.get('/health', ops.needReader, async (ctx) => {
    const { minutes } = queryOf(ctx, HealthQuery);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await readHealth(minutes);
  });

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
