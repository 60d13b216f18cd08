import Router from '@koa/router';
import { z } from 'zod';
import type { OpsIdentity } from '../accounts/ops-identity.ts';
import type { PointerInfo } from '../contract/compositions.ts';
import { body, bodyOf } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import type { Canaries } from './canary/canaries.ts';
import { pointerIn } from './canary/fault-messages.ts';
import { ChoiceFields, choiceOf, isOneChoice, NoteFields, noteOf } from './composition-routes.ts';

/** Percentage of visitors. */
const Share = z.number().min(0).max(100);
const StartBody = z.strictObject({ ...ChoiceFields, ...NoteFields, share: Share }).check(isOneChoice);
const ShareBody = z.strictObject({ ...NoteFields, share: Share });
const NoteBody = z.strictObject(NoteFields);

/** Routes to start, resize, promote and abort a canary. */
export function createCanaryRoutes({
  canaries,
  ops,
}: {
  canaries: Canaries;
  ops: Pick<OpsIdentity, 'needOps'>;
}): DeskRouter {
  const { needOps } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops/canary' });

  router.post('/', needOps, body(StartBody), async (ctx) => {
    const request = bodyOf(ctx, StartBody);
    const asked = { ...choiceOf(request), ...noteOf(request), share: request.share };
    answer(ctx, await canaries.begin(asked, ctx.state.language));
  });

  router.patch('/', needOps, body(ShareBody), async (ctx) => {
    const request = bodyOf(ctx, ShareBody);
    answer(ctx, await canaries.share({ ...noteOf(request), share: request.share }));
  });

  router.post('/promote', needOps, body(NoteBody), async (ctx) => {
    answer(ctx, await canaries.promote(noteOf(bodyOf(ctx, NoteBody)), ctx.state.language));
  });

  router.post('/abort', needOps, body(NoteBody), async (ctx) => {
    answer(ctx, await canaries.abort(noteOf(bodyOf(ctx, NoteBody))));
  });

  return router;
}

function answer(ctx: DeskContext, pointer: PointerInfo): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = pointerIn(ctx.state.language, pointer);
}
