import Router from '@koa/router';
import { z } from 'zod';
import { resolveStack, type StackDeps } from '../compositions/resolve-stack.ts';
import type { ResolvedStack } from '../contract.ts';
import { body, bodyOf } from '../middleware/body.ts';
import type { DeskRouter } from '../middleware/desk-state.ts';
import type { OpsIdentity } from '../middleware/ops-identity.ts';

const StackBody = z.strictObject({
  stack: z
    .string()
    .min(1)
    .max(64 * 1024),
});

/** Source maps are stored with releases and read here alone, with the ops token. */
export function createStackRoutes({
  releases,
  ops,
}: {
  releases: StackDeps;
  ops: Pick<OpsIdentity, 'needOps'>;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops' });
  router.post('/stack', ops.needOps, body(StackBody), async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      stack: await resolveStack(bodyOf(ctx, StackBody).stack, releases),
    } satisfies ResolvedStack;
  });
  return router;
}
