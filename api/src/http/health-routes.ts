import Router from '@koa/router';
import { unavailable } from '../errors/errors.ts';
import type { DeskRouter } from './desk-state.ts';

/** /healthz: the process is alive. /readyz: it can serve requests, that is, its store answers. */
export function createHealthRoutes(deps: { ping(): Promise<void> }): DeskRouter {
  const router: DeskRouter = new Router();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    await deps.ping().catch(() => {
      throw unavailable();
    });
    ctx.body = { status: 'ready' };
  });

  return router;
}
