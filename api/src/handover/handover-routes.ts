import type { Logger } from 'pino';
import { guestIdOf } from '../accounts/guests.ts';
import { signedIn } from '../accounts/identify.ts';
import { callerKey, limitRequests } from '../accounts/limit-requests.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import {
  HandoverMessageRequest,
  HandoverRequest,
  InboxPairRequest,
  InboxQuery,
  type InboxSummary,
} from '../contract/handover.ts';
import { bearerOf } from '../http/bearer.ts';
import { onResponseEnd } from '../http/client-disconnect.ts';
import { createConcurrencyLimiter, limitConcurrency } from '../http/concurrency-limiter.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import { sendEventStream } from '../http/send-event-stream.ts';
import { readHandoverEvents, readInboxEvents } from './event-stream.ts';
import type { Agent } from './handover-inbox.ts';
import type { OpenHandover } from './open-handover.ts';

const maxStreams = { ofOwner: 10, ofAddress: 100, ofAll: 10_000 };

/** Routes for visitors to ask for a person and write to them. */
export function createHandoverRoutes(
  { handovers, changes, readResponseTime }: OpenHandover,
  { sessions, guests, limits }: OpenAccounts,
): DeskRoutes {
  const limit = limitRequests(limits.chat);
  const beginOfOwner = createConcurrencyLimiter(maxStreams.ofOwner, maxStreams.ofAll);
  const beginOfAddress = createConcurrencyLimiter(maxStreams.ofAddress);
  const router = createRoutes('/api');

  router.post('/handovers', HandoverRequest, limit, async (ctx, request) => {
    const { owner, language } = ctx.state;
    const { handover, isNew } = await handovers.ask(owner, language, request);
    ctx.status = isNew ? 201 : 200;
    return handover;
  });

  router.get('/handovers/expectation', () => readResponseTime());

  router.get('/handovers/events', (ctx) => {
    const { owner } = ctx.state;
    const guestId = guestIdOf(owner);
    const ends = [beginOfOwner(owner)];
    onResponseEnd(ctx, () => {
      for (const end of ends) end();
    });
    if (guestId !== null) ends.push(beginOfAddress(callerKey(ctx)));
    const token = bearerOf(ctx) ?? '';
    const isStillThere = async () =>
      guestId === null ? (await sessions.find(token)) !== null : guests.recognise(guestId);
    sendEventStream(ctx, (signal) => readHandoverEvents({ handovers, changes }, owner, isStillThere, signal));
  });

  router.post('/handovers/:id/messages', HandoverMessageRequest, limit, (ctx, request) =>
    handovers.write(ctx.state.owner, idOf(ctx), request),
  );

  router.post('/handovers/:id/close', noBody(), (ctx) => handovers.close(ctx.state.owner, idOf(ctx)));

  router.get('/conversations/:id/handovers', async (ctx) => ({
    handovers: await handovers.ofConversation(ctx.state.owner, idOf(ctx), false),
  }));

  router.post('/conversations/:id/handovers/seen', noBody(), async (ctx) => ({
    handovers: await handovers.ofConversation(ctx.state.owner, idOf(ctx), true),
  }));

  return router;
}

/** Maximum number of event streams per agent, and per process. */
const maxInboxStreams = { ofAgent: 10, ofAll: 500 };

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

  router.get('/events', limitConcurrency(maxInboxStreams.ofAgent, maxInboxStreams.ofAll), (ctx) => {
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
