import Router from '@koa/router';
import { CanaryChange, type CanaryProgress, ShareCanary, StartCanary } from '../../contract/compositions.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import { handleChange } from '../changes/change-routes.ts';
import type { Changes } from '../changes/changes.ts';
import { canaryIn, pointerIn } from '../data/reasons.ts';
import type { Composing } from '../live/composing.ts';
import { assertChoiceFits } from '../live/composition-routes.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Canaries } from './canaries.ts';

/** Routes to start, follow, change and end canaries. */
export function createCanaryRoutes({
  canaries,
  readProgress,
  composing,
  changes,
  ops,
}: {
  canaries: Canaries;
  composing: Composing;
  changes: Changes;
  readProgress(): Promise<CanaryProgress[]>;
  ops: Pick<OpsGuard, 'needCompose' | 'needReader'>;
}): DeskRouter {
  const { needCompose, needReader } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops/canary' });

  router.get('/', needReader, async (ctx) => {
    const found = await readProgress();
    ctx.body = { canaries: found.map((canary) => canaryIn(ctx.state.language, canary)) };
  });

  const start = handleChange(changes, {
    kind: 'canary',
    schema: StartCanary,
    check: (request, language) => assertChoiceFits(composing, request, language),
    apply({ share, plan, ...request }, language) {
      const asked = { ...request, share: share ?? plan?.steps[0] ?? 0 };
      return canaries.begin(plan ? { ...asked, plan: { minPages: 20, ...plan } } : asked, language);
    },
  });
  router.post('/', needCompose, body(StartCanary), start);

  const changeShare = handleChange(changes, {
    kind: 'share',
    schema: ShareCanary,
    apply: (request) => canaries.share(request),
  });
  router.patch('/', needCompose, body(ShareCanary), changeShare);

  const promote = handleChange(changes, {
    kind: 'promote',
    schema: CanaryChange,
    apply: (request, language) => canaries.promote(request, language),
  });
  router.post('/promote', needCompose, body(CanaryChange), promote);

  const resume = handleChange(changes, {
    kind: 'resume',
    schema: CanaryChange,
    apply: (request) => canaries.resume(request),
  });
  router.post('/resume', needCompose, body(CanaryChange), resume);

  // These only return visitors to what was approved, so they never wait for an approval.
  for (const how of ['abort', 'pause'] as const)
    router.post(`/${how}`, needCompose, body(CanaryChange), async (ctx) => {
      ctx.body = pointerIn(ctx.state.language, await canaries[how](bodyOf(ctx, CanaryChange)));
    });

  return router;
}
