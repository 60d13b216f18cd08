import type { Logger } from 'pino';
import { signedIn } from '../accounts/identify.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import {
  HandoverMessageRequest,
  InboxPairRequest,
  InboxQuery,
  type InboxSummary,
} from '../contract/handover.ts';
import { bearerOf } from '../http/bearer.ts';
import { limitConcurrency } from '../http/concurrency-limiter.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import { sendEventStream } from '../http/send-event-stream.ts';
import { readInboxEvents } from './event-stream.ts';
import type { Agent } from './handover-inbox.ts';
import type { OpenHandover } from './open-handover.ts';

/** Maximum number of event streams per agent, and per process. */
const maxStreams = { ofAgent: 10, ofAll: 500 };

/** Routes of the inbox: agents answer handovers. */
export function createInboxRoutes(
  { inbox, changes }: OpenHandover,
  { rights, sessions }: OpenAccounts,
  log: Pick<Logger, 'info'>,
): DeskRoutes {
  const router = createRoutes('/api/inbox');

  router.get('/', InboxQuery, (ctx, { state, ...page }) => inbox.list(agentOf(ctx), state, page));

  router.get('/summary', async (ctx) => {
    if (!ctx.state.rights.includes('answer_people')) return { open: null, waiting: null };
    const [open, waiting] = await Promise.all([inbox.countOpen(), inbox.countWaiting(agentOf(ctx))]);
    return { open, waiting } satisfies InboxSummary;
  });

  router.get('/events', limitConcurrency(maxStreams.ofAgent, maxStreams.ofAll), (ctx) => {
    const token = bearerOf(ctx) ?? '';
    const isStillThere = async () => {
      const session = await sessions.find(token);
      return session !== null && rights.has(session.user, 'answer_people');
    };
    sendEventStream(ctx, (signal) => readInboxEvents({ inbox, changes }, isStillThere, signal));
  });

  router.get('/:id', (ctx) => inbox.find(agentOf(ctx), idOf(ctx)));
  router.post('/:id/take', noBody(), (ctx) => inbox.take(agentOf(ctx), idOf(ctx)));
  router.post('/:id/release', noBody(), (ctx) => inbox.release(agentOf(ctx), idOf(ctx)));
  router.post('/:id/close', noBody(), (ctx) => inbox.close(agentOf(ctx), idOf(ctx)));

  router.post('/:id/messages', HandoverMessageRequest, (ctx, request) =>
    inbox.reply(agentOf(ctx), idOf(ctx), request),
  );

  router.post('/:id/pair', InboxPairRequest, async (ctx, request) => {
    const detail = await inbox.addPair(agentOf(ctx), idOf(ctx), request);
    log.info({ actor: ctx.state.owner, action: 'add pair', id: detail.pairId }, 'knowledge was changed');
    return detail;
  });

  return router;
}

function agentOf(ctx: DeskContext): Agent {
  const { owner, rights } = ctx.state;
  return { id: owner, name: signedIn(ctx).user.username, isEditor: rights.includes('edit_knowledge') };
}
