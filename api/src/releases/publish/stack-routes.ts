import Router from '@koa/router';
import { z } from 'zod';
import type { ResolvedStack } from '../../contract/reports.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import { resolveStack, type StackDeps } from './resolve-stack.ts';

const StackBody = z.strictObject({
  stack: z
    .string()
    .min(1)
    .max(64 * 1024),
});

/** Source maps are stored with releases and can only be used through this route, with the right to compose. */
export function createStackRoutes({
  releases,
  ops,
}: {
  releases: StackDeps;
  ops: Pick<OpsGuard, 'needCompose'>;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops' });
  router.post('/stack', ops.needCompose, body(StackBody), async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      stack: await resolveStack(bodyOf(ctx, StackBody).stack, releases),
    } satisfies ResolvedStack;
  });
  return router;
}
