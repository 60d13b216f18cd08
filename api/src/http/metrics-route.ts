import { createServer } from 'node:http';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/errors.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { bearerOf, isSameSecret } from './bearer.ts';
import { listen } from './open-http-server.ts';
import { createRoutes, type DeskRoutes } from './routes.ts';

type Scraped = Pick<Metrics, 'scrape' | 'contentType'>;

/** GET /metrics, for requests with METRICS_TOKEN as Bearer token. */
export function createMetricsRoute(
  metrics: Scraped,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): DeskRoutes {
  const router = createRoutes();
  router.get('/metrics', (ctx) => {
    if (!isSameSecret(bearerOf(ctx) ?? '', metricsToken ?? '')) throw new ApiError('ops_token_wrong');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = metrics.contentType;
    return metrics.scrape();
  });
  return router;
}

/** Serves /metrics on a separate port, which proxies do not make public. If METRICS_TOKEN is set, requests need it. */
export async function openMetricsServer(
  metrics: Scraped,
  { host, metricsPort, metricsToken }: Pick<Config, 'host' | 'metricsPort' | 'metricsToken'>,
): Promise<{ close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const given = bearerOf({ get: () => request.headers.authorization ?? '' }) ?? '';
    if (request.url !== '/metrics') response.writeHead(404).end();
    else if (metricsToken !== null && !isSameSecret(given, metricsToken)) response.writeHead(401).end();
    else {
      const text = await metrics.scrape().catch(() => null);
      response.writeHead(text === null ? 500 : 200, { 'Content-Type': metrics.contentType }).end(text);
    }
  });
  await listen(server, { host, port: metricsPort! }, 'METRICS_PORT');
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
