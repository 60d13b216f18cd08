import { CanaryChange, type CanaryProgress, ShareCanary, StartCanary } from '../../contract/compositions.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import { createChangeCalls } from '../changes/change-routes.ts';
import type { Changes } from '../changes/changes.ts';
import { canaryIn, pointerIn } from '../data/reasons.ts';
import type { Composing } from '../live/composing.ts';
import { assertChoiceFits } from '../live/composition-routes.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Canaries } from './canaries.ts';

/** Routes to start, follow, change and end canaries. */
export function createCanaryRoutes(deps: {
  canaries: Canaries;
  composing: Composing;
  changes: Changes;
  readProgress(): Promise<CanaryProgress[]>;
  ops: Pick<OpsGuard, 'needCompose' | 'needReader'>;
}): DeskRoutes {
  const { canaries, readProgress, composing, changes, ops } = deps;
  const { needCompose, needReader } = ops;
  const change = createChangeCalls(changes, ops);
  const router = createRoutes('/ops/canary');

  router.get('/', needReader, async ({ state }) => {
    const found = await readProgress();
    return { canaries: found.map((canary) => canaryIn(state.language, canary)) };
  });

  const start = change({
    kind: 'canary',
    schema: StartCanary,
    check: (request, language) => assertChoiceFits(composing, request, language),
    apply({ share, plan, ...request }, language) {
      const asked = { ...request, share: share ?? plan?.steps[0] ?? 0 };
      return canaries.begin(plan ? { ...asked, plan: { minPages: 20, ...plan } } : asked, language);
    },
  });
  router.post('/', ...start);
  router.patch('/', ...change({ kind: 'share', schema: ShareCanary, apply: canaries.share }));
  router.post('/promote', ...change({ kind: 'promote', schema: CanaryChange, apply: canaries.promote }));
  router.post('/resume', ...change({ kind: 'resume', schema: CanaryChange, apply: canaries.resume }));

  // These only return visitors to an approved composition, so they never wait for an approval.
  for (const how of ['abort', 'pause'] as const)
    router.post(`/${how}`, needCompose, CanaryChange, async ({ state }, change) =>
      pointerIn(state.language, await canaries[how](change)),
    );

  return router;
}
