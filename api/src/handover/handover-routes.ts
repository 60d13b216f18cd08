import { guestIdOf } from '../accounts/guests.ts';
import { callerKey, limitRequests } from '../accounts/limit-requests.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import { HandoverMessageRequest, HandoverRequest } from '../contract/handover.ts';
import { bearerOf } from '../http/bearer.ts';
import { onResponseEnd } from '../http/client-disconnect.ts';
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import { sendEventStream } from '../http/send-event-stream.ts';
import { readHandoverEvents } from './event-stream.ts';
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
