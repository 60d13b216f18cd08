import Router from '@koa/router';
import { noBody } from '../http/body.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import type { OpsIdentity } from './ops-identity.ts';

/**
 * POST /ops/session exchanges the ops token for one that is valid for 30 minutes, which a page keeps in
 * memory.
 */
export function createOpsSessionRoutes({ ops }: { ops: OpsIdentity }): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops' });

  router.post('/session', ops.needOpsToken, noBody(), (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = ops.createSession(new Date());
  });

  return router;
}
