import Router from '@koa/router';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { body, bodyOf, noBody, queryOf, trimmedText } from '../http/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { PageQuery } from '../http/page-query.ts';
import type { Conversations } from '../records/conversations.ts';
import type { Erasures } from '../records/erasure/erasures.ts';

const Title = z.object({ title: trimmedText(200, 1) });

/** Routes to list, read, rename and delete the owner's conversations. */
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
    ctx.body = await conversations.list(owner, queryOf(ctx, PageQuery));
    if (owner.startsWith('guest:')) ctx.set('X-Guest-Days', String(config.guestDays));
  });

  router.get('/conversations/:id/records', identify, async (ctx) => {
    ctx.body = await conversations.records(ctx.state.owner, idOf(ctx), queryOf(ctx, PageQuery));
  });

  router.patch('/conversations/:id', identify, body(Title), async (ctx) => {
    ctx.body = await conversations.rename(ctx.state.owner, idOf(ctx), bodyOf(ctx, Title).title);
  });

  router.delete('/conversations/:id', identify, noBody(), async (ctx) => {
    ctx.body = await erasures.eraseConversation(ctx.state.owner, idOf(ctx));
  });

  return router;
}

function idOf(ctx: DeskContext): string {
  return ctx.params.id ?? '';
}
