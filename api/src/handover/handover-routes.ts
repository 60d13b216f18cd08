import Router from '@koa/router';
import { guestIdOf } from '../accounts/guests.ts';
import { callerKey, limitRequests } from '../accounts/limit-requests.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import { HandoverMessageRequest, HandoverRequest } from '../contract/handover.ts';
import { bearerOf } from '../http/bearer.ts';
import { body, bodyOf, noBody } from '../http/body.ts';
import { onResponseEnd } from '../http/client-disconnect.ts';
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import { sendEventStream } from '../http/send-event-stream.ts';
import { readHandoverEvents } from './event-stream.ts';
import type { OpenHandover } from './open-handover.ts';

const maxStreams = { ofOwner: 10, ofAddress: 100, ofAll: 10_000 };

/** Routes for visitors to ask for a person and write to them. */
export function createHandoverRoutes(
  { handovers, changes, readResponseTime }: OpenHandover,
  { sessions, guests, limits }: OpenAccounts,
): DeskRouter {
  const limit = limitRequests(limits.chat);
  const beginOfOwner = createConcurrencyLimiter(maxStreams.ofOwner, maxStreams.ofAll);
  const beginOfAddress = createConcurrencyLimiter(maxStreams.ofAddress);
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.post('/handovers', body(HandoverRequest), limit, async (ctx) => {
    const { owner, language } = ctx.state;
    const { handover, isNew } = await handovers.ask(owner, language, bodyOf(ctx, HandoverRequest));
    ctx.status = isNew ? 201 : 200;
    ctx.body = handover;
  });

  router.get('/handovers/expectation', async (ctx) => {
    ctx.body = await readResponseTime();
  });

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

  router.post('/handovers/:id/messages', body(HandoverMessageRequest), limit, async (ctx) => {
    ctx.body = await handovers.write(ctx.state.owner, idOf(ctx), bodyOf(ctx, HandoverMessageRequest));
  });

  router.post('/handovers/:id/close', noBody(), async (ctx) => {
    ctx.body = await handovers.close(ctx.state.owner, idOf(ctx));
  });

  router.get('/conversations/:id/handovers', async (ctx) => {
    ctx.body = { handovers: await handovers.ofConversation(ctx.state.owner, idOf(ctx), false) };
  });

  router.post('/conversations/:id/handovers/seen', noBody(), async (ctx) => {
    ctx.body = { handovers: await handovers.ofConversation(ctx.state.owner, idOf(ctx), true) };
  });

  return router;
}
