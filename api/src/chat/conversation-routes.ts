import Router from '@koa/router';
import type { Config } from '../config/config.ts';
import { PageQuery } from '../contract/fields.ts';
import { ConversationChange, ConversationQuery } from '../contract/records.ts';
import { body, bodyOf, noBody, queryOf } from '../http/body.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { OpenRecords } from '../records/open-records.ts';

/** Routes to list, read, change and delete the owner's conversations. */
export function createConversationRoutes(
  { conversations, deletions }: OpenRecords,
  config: Pick<Config, 'guestDays'>,
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/conversations', async (ctx) => {
    const { owner } = ctx.state;
    const { archived, ...page } = queryOf(ctx, ConversationQuery);
    ctx.body = await (archived === '1'
      ? conversations.archived(owner, page)
      : conversations.list(owner, page));
    if (owner.startsWith('guest:')) ctx.set('X-Guest-Days', String(config.guestDays));
  });

  router.get('/conversations/:id/records', async (ctx) => {
    ctx.body = await conversations.records(ctx.state.owner, idOf(ctx), queryOf(ctx, PageQuery));
  });

  router.patch('/conversations/:id', body(ConversationChange), async (ctx) => {
    const change = bodyOf(ctx, ConversationChange);
    ctx.body = await conversations.change(ctx.state.owner, idOf(ctx), change);
  });

  router.delete('/conversations/:id', noBody(), async (ctx) => {
    ctx.body = await deletions.deleteConversation(ctx.state.owner, idOf(ctx));
  });

  return router;
}
