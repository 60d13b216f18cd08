import Router from '@koa/router';
import { z } from 'zod';
import type { OpsIdentity } from '../accounts/ops-identity.ts';
import type { ChangeNote, CompositionChoice } from '../contract/contract.ts';
import { body, bodyOf, queryOf } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import { PageQuery } from '../http/page-query.ts';
import { pointerIn, reasonIn } from './canary/fault-words.ts';
import type { Composing } from './composing.ts';
import { describeComposition } from './describe-composition.ts';

/** Parts of one composition, and then some. */
const mostNames = 100;
const Release = z.string().min(1).max(300);
const Remote = z.string().min(1).max(100);
const CompositionId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{6,64}$/);

/** What every call that chooses a composition takes: releases upon what is live, or a composition. */
export const ChoiceFields = {
  releases: z.array(Release).max(mostNames).optional(),
  without: z.array(Remote).max(mostNames).optional(),
  composition: CompositionId.optional(),
};

/** Words in one line, as histories and terminals show them: nothing in it moves a cursor. */
function line(least: number, most: number) {
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

/** Said with every change: who, why, and what revision it was decided on. */
export const NoteFields = {
  author: line(1, 100),
  reason: line(0, 500),
  revision: z.int().min(0).optional(),
};

const SetBody = z.strictObject({ ...ChoiceFields, ...NoteFields }).check(isOneChoice);
const CheckBody = z
  .strictObject({
    ...ChoiceFields,
    author: NoteFields.author.default('check'),
    reason: NoteFields.reason.default(''),
    revision: NoteFields.revision,
  })
  .check(isOneChoice);
const RollBackBody = z.strictObject({ ...NoteFields, to: CompositionId.optional() });
const DiffQuery = z.object({ from: CompositionId, to: CompositionId });

/** What is live, what was and what could be: read by whoever is signed in, changed with the ops token. */
export function createCompositionRoutes({
  composing,
  ops,
}: {
  composing: Composing;
  ops: OpsIdentity;
}): DeskRouter {
  const { needOps, needReader, needPublisher } = ops;
  const router: DeskRouter = new Router({ prefix: '/ops' });

  router.get('/compositions', needReader, async (ctx) => {
    answer(ctx, await composing.list(queryOf(ctx, PageQuery)));
  });

  router.post('/compositions', needOps, body(SetBody), async (ctx) => {
    const request = bodyOf(ctx, SetBody);
    const { info, isNew } = await composing.keep(choiceOf(request), noteOf(request));
    answer(ctx, info, isNew ? 201 : 200);
  });

  router.get('/compositions/:id', needReader, async (ctx) => {
    answer(ctx, describeComposition(await composing.find(ctx.params.id ?? '')));
  });

  router.get('/pointer', needReader, async (ctx) => {
    answer(ctx, pointerIn(ctx.state.language, await composing.pointer()));
  });

  router.post('/pointer', needOps, body(SetBody), async (ctx) => {
    const request = bodyOf(ctx, SetBody);
    const asked = { ...choiceOf(request), ...noteOf(request) };
    answer(ctx, pointerIn(ctx.state.language, await composing.set(asked, ctx.state.language)));
  });

  router.post('/pointer/rollback', needOps, body(RollBackBody), async (ctx) => {
    const { to, ...note } = bodyOf(ctx, RollBackBody);
    const asked = { ...noteOf(note), ...(to === undefined ? {} : { to }) };
    answer(ctx, pointerIn(ctx.state.language, await composing.rollBack(asked, ctx.state.language)));
  });

  router.get('/history', needReader, async (ctx) => {
    const { moves, nextCursor } = await composing.history(queryOf(ctx, PageQuery));
    const told = moves.map((move) => ({ ...move, reason: reasonIn(ctx.state.language, move.reason) }));
    answer(ctx, { moves: told, nextCursor });
  });

  router.get('/diff', needReader, async (ctx) => {
    const { from, to } = queryOf(ctx, DiffQuery);
    answer(ctx, await composing.diff(from, to));
  });

  // It changes nothing, yet fetches from other servers: for teams with their release token too, and not for everyone.
  router.post('/check', needPublisher, body(CheckBody), async (ctx) => {
    const request = bodyOf(ctx, CheckBody);
    answer(ctx, await composing.check(choiceOf(request), noteOf(request), ctx.state.language));
  });

  return router;
}

/** What is live changes from one moment to the next: nothing here is ever kept by anybody. */
function answer(ctx: DeskContext, content: object, status = 200): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  ctx.body = content;
}

type Fields = {
  releases?: string[] | undefined;
  without?: string[] | undefined;
  composition?: string | undefined;
};

/** Either a composition, or releases and what is left out, of which one must be said. */
export function isOneChoice({ value, issues }: z.core.ParsePayload<Fields>): void {
  const { releases = [], without = [], composition } = value;
  const isUpon = releases.length + without.length > 0;
  if (isUpon !== (composition !== undefined)) return;
  const path = [isUpon ? 'composition' : 'releases'];
  issues.push({
    code: 'custom',
    message: 'expected releases, without, or a composition',
    input: value,
    path,
  });
}

export function choiceOf({ releases = [], without = [], composition }: Fields): CompositionChoice {
  return composition === undefined ? { releases, without } : { composition };
}

export function noteOf(note: { author: string; reason: string; revision?: number | undefined }): ChangeNote {
  const { author, reason, revision } = note;
  return { author, reason, ...(revision === undefined ? {} : { revision }) };
}
