import Router from '@koa/router';
import { type ResolvedStack, StackRequest } from '../../contract/reports.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import { resolveStack, type StackDeps } from './resolve-stack.ts';

/** Source maps are stored with releases and can only be used through this route, with the right to compose. */
export function createStackRoutes({
  releases,
  ops,
}: {
  releases: StackDeps;
  ops: Pick<OpsGuard, 'needCompose'>;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops' });
  router.post('/stack', ops.needCompose, body(StackRequest), async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = {
      stack: await resolveStack(bodyOf(ctx, StackRequest).stack, releases),
    } satisfies ResolvedStack;
  });
  return router;
}
