import Router from '@koa/router';
import {
  ChangeNote,
  FreezeRequest,
  PinRequest,
  type PointerInfo,
  UnpinRequest,
} from '../../contract/compositions.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { pointerIn } from '../data/reasons.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Restrictions } from './restrictions.ts';

/** Routes to freeze the live composition, or the release of one remote. */
export function createRestrictionRoutes({
  restrictions,
  ops,
}: {
  restrictions: Restrictions;
  ops: Pick<OpsGuard, 'needCompose'>;
}): DeskRouter {
  const { needCompose } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops' });

  router.post('/freeze', needCompose, body(FreezeRequest), async (ctx) => {
    answer(ctx, await restrictions.freeze(bodyOf(ctx, FreezeRequest)));
  });

  router.post('/unfreeze', needCompose, body(ChangeNote), async (ctx) => {
    answer(ctx, await restrictions.unfreeze(bodyOf(ctx, ChangeNote)));
  });

  router.post('/pin', needCompose, body(PinRequest), async (ctx) => {
    answer(ctx, await restrictions.pin(bodyOf(ctx, PinRequest)));
  });

  router.post('/unpin', needCompose, body(UnpinRequest), async (ctx) => {
    answer(ctx, await restrictions.unpin(bodyOf(ctx, UnpinRequest)));
  });

  return router;
}

function answer(ctx: DeskContext, pointer: PointerInfo): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = pointerIn(ctx.state.language, pointer);
}
