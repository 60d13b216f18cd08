import { PageQuery } from '../../contract/fields.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskMiddleware } from '../../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../../http/routes.ts';
import { pointerIn } from '../data/reasons.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { ChangeKind, Changes } from './changes.ts';

/** Returns a function that makes the middleware of routes that change the live composition or its canaries. */
export const createChangeCalls =
  (changes: Changes, { needCompose }: Pick<OpsGuard, 'needCompose'>) =>
  <T extends { author: string; reason: string }>(kind: ChangeKind<T>): DeskMiddleware[] => {
    changes.define(kind);
    const submit: DeskMiddleware = async (ctx) => {
      const { language, opsToken } = ctx.state;
      const result = await changes.submit(kind.kind, bodyOf(ctx, kind.schema), opsToken, language);
      if ('change' in result) ctx.status = 202;
      ctx.body = 'change' in result ? result : pointerIn(language, result);
    };
    return [needCompose, body(kind.schema), submit];
  };

/** Routes to list, approve and reject changes that need a second token. */
export function createChangeRoutes(deps: {
  changes: Changes;
  ops: Pick<OpsGuard, 'needCompose' | 'needReader'>;
}): DeskRoutes {
  const { changes, ops } = deps;
  const router = createRoutes('/ops/changes');

  router.get('/', ops.needReader, PageQuery, (_, page) => changes.list(page));

  router.post('/:id/approve', ops.needCompose, noBody(), async (ctx) => {
    const { language, opsToken } = ctx.state;
    const pointer = await changes.approve(idOf(ctx), opsToken, language);
    return pointerIn(language, pointer);
  });

  router.post('/:id/reject', ops.needCompose, noBody(), (ctx) =>
    changes.reject(idOf(ctx), ctx.state.opsToken),
  );

  return router;
}
