import type { Config } from '../config/config.ts';
import { PageQuery } from '../contract/fields.ts';
import { ConversationChange, ConversationQuery } from '../contract/records.ts';
import { noBody } from '../http/body.ts';
import { idOf } from '../http/id-of.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { OpenRecords } from '../records/open-records.ts';

/** Routes to list, read, change and delete the owner's conversations. */
export function createConversationRoutes(
  { conversations, deletions }: OpenRecords,
  config: Pick<Config, 'guestDays'>,
): DeskRoutes {
  const router = createRoutes('/api');

  router.get('/conversations', ConversationQuery, async (ctx, { archived, ...page }) => {
    const { owner } = ctx.state;
    const found = await conversations[archived === '1' ? 'archived' : 'list'](owner, page);
    if (owner.startsWith('guest:')) ctx.set('X-Guest-Days', String(config.guestDays));
    return found;
  });

  router.get('/conversations/:id/records', PageQuery, (ctx, page) =>
    conversations.records(ctx.state.owner, idOf(ctx), page),
  );

  router.patch('/conversations/:id', ConversationChange, (ctx, change) =>
    conversations.change(ctx.state.owner, idOf(ctx), change),
  );

  router.delete('/conversations/:id', noBody(), (ctx) =>
    deletions.deleteConversation(ctx.state.owner, idOf(ctx)),
  );

  return router;
}
