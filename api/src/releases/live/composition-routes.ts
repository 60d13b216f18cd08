import Router from '@koa/router';
import { z } from 'zod';
import type { ChangeNote, CompositionChoice } from '../../contract/compositions.ts';
import { PageQuery } from '../../contract/fields.ts';
import type { Language } from '../../contract/language.ts';
import { ApiError } from '../../errors/errors.ts';
import { body, bodyOf, queryOf } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { handleChange } from '../changes/change-routes.ts';
import type { Changes } from '../changes/changes.ts';
import { ENVIRONMENT_NAME } from '../data/environment.ts';
import { pointerIn, reasonIn } from '../data/reasons.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Composing } from './composing.ts';
import { describeComposition } from './describe-composition.ts';
import { ExportedFields } from './import-composition.ts';

/** Limit of names per request: more than the parts of any composition. */
const maxNames = 100;
const Release = z.string().min(1).max(300);
const Remote = z.string().min(1).max(100);
const CompositionId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{6,64}$/);

/**
 * Body fields of every call that chooses a composition: releases relative to the live composition, or a
 * composition.
 */
export const ChoiceFields = {
  releases: z.array(Release).max(maxNames).optional(),
  without: z.array(Remote).max(maxNames).optional(),
  composition: CompositionId.optional(),
  allowWeakerGuard: z.boolean().optional(),
};

/** A single line of text for histories and terminals, without control characters. */
export function line(least: number, most: number) {
  const shown = z
    .string()
    .min(least)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u);
  return z
    .string()
    .transform((text) => text.trim().replace(/\s+/g, ' '))
    .pipe(shown);
}

/** Body fields of every change: author, reason and the revision it is based on. */
export const NoteFields = {
  author: line(1, 100),
  reason: line(0, 500),
  revision: z.int().min(0).optional(),
};

const SetBody = z.strictObject({ ...ChoiceFields, ...NoteFields }).check(isOneChoice);
const ImportBody = z.strictObject({
  ...ExportedFields,
  author: NoteFields.author,
  reason: NoteFields.reason,
});
const PromotedFromBody = z.strictObject({
  environment: z.string().regex(ENVIRONMENT_NAME),
  server: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .exactOptional(),
  composition: z.string().regex(/^[0-9a-f]{64}$/),
  revision: z.int().min(1),
});
const PointerBody = SetBody.safeExtend({
  promotedFrom: PromotedFromBody.optional(),
  watchMinutes: z.int().min(1).max(1440).optional(),
});
const CheckBody = z
  .strictObject({
    ...ChoiceFields,
    author: NoteFields.author.default('check'),
    reason: NoteFields.reason.default(''),
    revision: NoteFields.revision,
  })
  .check(isOneChoice);
const RollBackBody = z.strictObject({
  ...NoteFields,
  to: CompositionId.optional(),
  force: z.boolean().default(false),
});
const DiffQuery = z.object({ from: CompositionId, to: CompositionId });

/**
 * Routes to read the live, past and possible compositions (any signed-in user) and to change them (scope
 * `compose`).
 */
export function createCompositionRoutes({
  composing,
  changes,
  ops,
}: {
  composing: Composing;
  changes: Changes;
  ops: OpsGuard;
}): DeskRouter {
  const { needCompose, needReader, needTeam } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops' });

  router.get('/compositions', needReader, async (ctx) => {
    answer(ctx, await composing.list(queryOf(ctx, PageQuery)));
  });

  router.post('/compositions', ops.need('preview'), body(SetBody), async (ctx) => {
    const request = bodyOf(ctx, SetBody);
    const { info, isNew } = await composing.keep(choiceOf(request), noteOf(request));
    answer(ctx, info, isNew ? 201 : 200);
  });

  router.post('/compositions/import', needCompose, body(ImportBody), async (ctx) => {
    const imported = await composing.import(bodyOf(ctx, ImportBody));
    answer(ctx, imported, imported.isNew ? 201 : 200);
  });

  router.get('/compositions/:id', needReader, async (ctx) => {
    answer(ctx, describeComposition(await composing.find(ctx.params.id ?? '')));
  });

  router.get('/environments', needReader, async (ctx) => {
    answer(ctx, { environments: await composing.environments() });
  });

  router.get('/pointer', needReader, async (ctx) => {
    answer(ctx, pointerIn(ctx.state.language, await composing.pointer()));
  });

  const set = handleChange(changes, {
    kind: 'set',
    schema: PointerBody,
    check: (request, language) => assertChoiceFits(composing, request, language),
    apply({ promotedFrom, watchMinutes, ...request }, language) {
      const asked = {
        ...choiceOf(request),
        ...noteOf(request),
        ...(promotedFrom ? { promotedFrom } : {}),
        ...(watchMinutes ? { watchMinutes } : {}),
      };
      return composing.set(asked, language);
    },
  });
  router.post('/pointer', needCompose, body(PointerBody), set);

  const rollBack = handleChange(changes, {
    kind: 'rollback',
    schema: RollBackBody,
    check: async ({ to }) => composing.find(to ?? ''),
    // What was live before has been approved before, and repairing the desk must not wait for a second person.
    isUrgent: async ({ to }) =>
      to === undefined || ((await composing.pointer()).previous?.startsWith(to) ?? false),
    apply({ to, force, ...note }, language) {
      const asked = { ...noteOf(note), force, ...(to === undefined ? {} : { to }) };
      return composing.rollBack(asked, language);
    },
  });
  router.post('/pointer/rollback', needCompose, body(RollBackBody), rollBack);

  router.get('/history', needReader, async (ctx) => {
    const { moves, nextCursor } = await composing.history(queryOf(ctx, PageQuery));
    const told = moves.map((move) => ({ ...move, reason: reasonIn(ctx.state.language, move.reason) }));
    answer(ctx, { moves: told, nextCursor });
  });

  router.get('/diff', needReader, async (ctx) => {
    const { from, to } = queryOf(ctx, DiffQuery);
    answer(ctx, await composing.diff(from, to));
  });

  // A check changes nothing but makes requests to other servers: allowed with every token that permits more
  // than reading, but not for everyone.
  router.post('/check', needTeam, body(CheckBody), async (ctx) => {
    const request = bodyOf(ctx, CheckBody);
    answer(ctx, await composing.check(choiceOf(request), noteOf(request), ctx.state.language));
  });

  return router;
}

/** @throws check_failed if the choice could not go live, and pointer_moved. */
export async function assertChoiceFits(
  composing: Composing,
  request: Fields & Parameters<typeof noteOf>[0],
  language: Language,
): Promise<void> {
  const { isFine, findings } = await composing.check(choiceOf(request), noteOf(request), language);
  if (!isFine) throw new ApiError('check_failed', { findings });
}

/** Sends a response that must never be cached, since the live composition can change at any moment. */
function answer(ctx: DeskContext, content: object, status = 200): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  ctx.body = content;
}

type Fields = {
  releases?: string[] | undefined;
  without?: string[] | undefined;
  composition?: string | undefined;
  allowWeakerGuard?: boolean | undefined;
};

/** Requires either a composition, or releases and omissions, but not both. */
export function isOneChoice({ value, issues }: z.core.ParsePayload<Fields>): void {
  const { releases = [], without = [], composition } = value;
  const isUpon = releases.length + without.length > 0;
  if (isUpon !== (composition !== undefined)) return;
  const path = [isUpon ? 'composition' : 'releases'];
  issues.push({
    code: 'custom',
    message: 'expected either releases and without, or a composition',
    input: value,
    path,
  });
}

export function choiceOf({ composition, ...fields }: Fields): CompositionChoice {
  const { releases = [], without = [], allowWeakerGuard = false } = fields;
  return { ...(composition === undefined ? { releases, without } : { composition }), allowWeakerGuard };
}

export function noteOf(note: { author: string; reason: string; revision?: number | undefined }): ChangeNote {
  const { author, reason, revision } = note;
  return { author, reason, ...(revision === undefined ? {} : { revision }) };
}
