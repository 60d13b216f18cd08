import Router from '@koa/router';
import { z } from 'zod';

import type { PointerInfo } from '../../contract/compositions.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { pointerIn } from '../data/reasons.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import { NoteFields, noteOf } from './composition-routes.ts';
import type { Restrictions } from './restrictions.ts';

/** Refused changes show the reason, so there must be one. */
const Fields = { ...NoteFields, reason: NoteFields.reason.refine((reason) => reason !== '') };
const FreezeBody = z.strictObject({ ...Fields, until: z.iso.datetime({ offset: true }) });
const UnfreezeBody = z.strictObject(NoteFields);
const PinBody = z.strictObject({ ...Fields, remote: z.string().min(1).max(100) });
const UnpinBody = z.strictObject({ ...NoteFields, remote: z.string().min(1).max(100) });

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

  router.post('/freeze', needCompose, body(FreezeBody), async (ctx) => {
    const { until, ...note } = bodyOf(ctx, FreezeBody);
    answer(ctx, await restrictions.freeze({ ...noteOf(note), until }));
  });

  router.post('/unfreeze', needCompose, body(UnfreezeBody), async (ctx) => {
    answer(ctx, await restrictions.unfreeze(noteOf(bodyOf(ctx, UnfreezeBody))));
  });

  router.post('/pin', needCompose, body(PinBody), async (ctx) => {
    const { remote, ...note } = bodyOf(ctx, PinBody);
    answer(ctx, await restrictions.pin({ ...noteOf(note), remote }));
  });

  router.post('/unpin', needCompose, body(UnpinBody), async (ctx) => {
    const { remote, ...note } = bodyOf(ctx, UnpinBody);
    answer(ctx, await restrictions.unpin({ ...noteOf(note), remote }));
  });

  return router;
}

function answer(ctx: DeskContext, pointer: PointerInfo): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = pointerIn(ctx.state.language, pointer);
}
