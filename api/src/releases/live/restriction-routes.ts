import Router from '@koa/router';
import type { z } from 'zod';
import {
  ChangeNote,
  FreezeRequest,
  PinRequest,
  type PointerInfo,
  UnpinRequest,
} from '../../contract/compositions.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import { pointerIn } from '../data/reasons.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Restrictions } from './restrictions.ts';

/** Routes to freeze the live composition, or the release of one remote. */
export function createRestrictionRoutes(deps: {
  restrictions: Restrictions;
  ops: Pick<OpsGuard, 'needCompose'>;
}): DeskRouter {
  const { restrictions, ops } = deps;
  const { needCompose } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops' });

  const change = <T>(path: string, schema: z.ZodType<T>, apply: (request: T) => Promise<PointerInfo>) =>
    router.post(path, needCompose, body(schema), async (ctx) => {
      ctx.body = pointerIn(ctx.state.language, await apply(bodyOf(ctx, schema)));
    });
  change('/freeze', FreezeRequest, restrictions.freeze);
  change('/unfreeze', ChangeNote, restrictions.unfreeze);
  change('/pin', PinRequest, restrictions.pin);
  change('/unpin', UnpinRequest, restrictions.unpin);
  return router;
}
