import Router from '@koa/router';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { body, bodyOf, noBody, queryOf, trimmedText } from '../http/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { PageQuery } from '../http/page-query.ts';
import { withoutUndefined } from '../http/without-undefined.ts';
import type { Conversations } from '../records/conversations.ts';
import type { Erasures } from '../records/erasure/erasures.ts';

const Change = z
  .object({
    title: trimmedText(200, 1).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { path: ['title'] })
  .refine(({ pinned, archived }) => !(pinned && archived), { path: ['archived'] });
const ListQuery = PageQuery.extend({ archived: z.enum(['0', '1']).default('0') });

/** Routes to list, read, change and delete the owner's conversations. */
export function createConversationRoutes(deps: {
  conversations: Conversations;
  erasures: Erasures;
  identify: DeskMiddleware;
  config: Pick<Config, 'guestDays'>;
}): DeskRouter {
  const { conversations, erasures, identify, config } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/conversations', identify, async (ctx) => {
    const { owner } = ctx.state;
    const { archived, ...page } = queryOf(ctx, ListQuery);
    ctx.body = await (archived === '1'
      ? conversations.archived(owner, page)
      : conversations.list(owner, page));
    if (owner.startsWith('guest:')) ctx.set('X-Guest-Days', String(config.guestDays));
  });

  router.get('/conversations/:id/records', identify, async (ctx) => {
    ctx.body = await conversations.records(ctx.state.owner, idOf(ctx), queryOf(ctx, PageQuery));
  });

  router.patch('/conversations/:id', identify, body(Change), async (ctx) => {
    const change = withoutUndefined(bodyOf(ctx, Change));
    ctx.body = await conversations.change(ctx.state.owner, idOf(ctx), change);
  });

  router.delete('/conversations/:id', identify, noBody(), async (ctx) => {
    ctx.body = await erasures.eraseConversation(ctx.state.owner, idOf(ctx));
  });

  return router;
}

function idOf(ctx: DeskContext): string {
  return ctx.params.id ?? '';
}
