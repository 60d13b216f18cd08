import Router from '@koa/router';
import { UnyankRequest, YankRequest } from '../../contract/compositions.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import type { RegisterDeps } from '../publish/register-release.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import { unyankRelease, yankRelease } from './yank-release.ts';

/** Withdrawing a release concerns every environment, so it takes the right to publish it. */
export function createYankRoutes({ ops, releases }: { ops: OpsGuard; releases: RegisterDeps }): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops/releases/:id' });

  router.post('/yank', ops.needPublisher, body(YankRequest), async (ctx) => {
    const id = permitted(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await yankRelease(id, bodyOf(ctx, YankRequest), releases);
  });

  router.post('/unyank', ops.needPublisher, body(UnyankRequest), async (ctx) => {
    const id = permitted(ctx);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await unyankRelease(id, bodyOf(ctx, UnyankRequest), releases);
  });

  return router;

  function permitted(ctx: DeskContext): string {
    const id = ctx.params.id ?? '';
    ops.assertPermitted(ctx, `release:${id.slice(0, Math.max(0, id.indexOf('@')))}`);
    return id;
  }
}
