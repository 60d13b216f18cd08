import Router from '@koa/router';
import { z } from 'zod';
import type { CanaryChange, CanaryProgress, PointerInfo } from '../../contract/compositions.ts';
import { body, bodyOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { handleChange } from '../changes/change-routes.ts';
import type { Changes } from '../changes/changes.ts';
import { canaryIn, pointerIn } from '../data/reasons.ts';
import type { Composing } from '../live/composing.ts';
import {
  assertChoiceFits,
  ChoiceFields,
  choiceOf,
  isOneChoice,
  NoteFields,
  noteOf,
} from '../live/composition-routes.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Canaries } from './canaries.ts';

/** Percentage of visitors. */
const Share = z.number().min(0).max(100);
/** Longest duration of a step, in seconds. */
const MAX_STEP_SECONDS = 30 * 86_400;
const Plan = z
  .strictObject({
    steps: z.array(Share.gt(0)).min(1).max(20),
    everySeconds: z.int().min(1).max(MAX_STEP_SECONDS),
    minPages: z.int().min(1).max(1_000_000).default(20),
  })
  .refine(({ steps }) => steps[0]! < 100 && steps.every((share, at) => at === 0 || share > steps[at - 1]!), {
    path: ['steps'],
  });
const StartBody = z
  .strictObject({ ...ChoiceFields, ...NoteFields, share: Share.optional(), plan: Plan.optional() })
  .check(isOneChoice)
  .refine(({ share, plan }) => (share === undefined) !== (plan === undefined), { path: ['share'] });
const ChangeFields = { ...NoteFields, canary: z.string().min(1).max(100).optional() };
const ShareBody = z.strictObject({ ...ChangeFields, share: Share });
const ChangeBody = z.strictObject(ChangeFields);

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
    ctx.set('Cache-Control', 'no-store');
    const found = await readProgress();
    ctx.body = { canaries: found.map((canary) => canaryIn(ctx.state.language, canary)) };
  });

  const start = handleChange(changes, {
    kind: 'canary',
    schema: StartBody,
    check: (request, language) => assertChoiceFits(composing, request, language),
    apply({ share, plan, ...request }, language) {
      const asked = {
        ...choiceOf(request),
        ...noteOf(request),
        share: share ?? plan?.steps[0] ?? 0,
        ...(plan ? { plan } : {}),
      };
      return canaries.begin(asked, language);
    },
  });
  router.post('/', needCompose, body(StartBody), start);

  const changeShare = handleChange(changes, {
    kind: 'share',
    schema: ShareBody,
    apply: (request) => canaries.share({ ...changeOf(request), share: request.share }),
  });
  router.patch('/', needCompose, body(ShareBody), changeShare);

  const promote = handleChange(changes, {
    kind: 'promote',
    schema: ChangeBody,
    apply: (request, language) => canaries.promote(changeOf(request), language),
  });
  router.post('/promote', needCompose, body(ChangeBody), promote);

  const resume = handleChange(changes, {
    kind: 'resume',
    schema: ChangeBody,
    apply: (request) => canaries.resume(changeOf(request)),
  });
  router.post('/resume', needCompose, body(ChangeBody), resume);

  // These only return visitors to what was approved, so they never wait for an approval.
  for (const how of ['abort', 'pause'] as const)
    router.post(`/${how}`, needCompose, body(ChangeBody), async (ctx) => {
      answer(ctx, await canaries[how](changeOf(bodyOf(ctx, ChangeBody))));
    });

  return router;
}

function changeOf({ canary, ...note }: z.infer<typeof ChangeBody>): CanaryChange {
  return { ...noteOf(note), ...(canary === undefined ? {} : { canary }) };
}

function answer(ctx: DeskContext, pointer: PointerInfo): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.body = pointerIn(ctx.state.language, pointer);
}
