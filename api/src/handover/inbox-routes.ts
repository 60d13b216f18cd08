import Router from '@koa/router';
import type { Logger } from 'pino';
import type { Editors } from '../accounts/editors.ts';
import { signedIn } from '../accounts/identify.ts';
import type { Sessions } from '../accounts/sessions.ts';
import {
  HandoverMessageRequest,
  InboxPairRequest,
  InboxQuery,
  type InboxSummary,
} from '../contract/handover.ts';
import { ApiError } from '../errors/errors.ts';
import { bearerOf } from '../http/bearer.ts';
import { body, bodyOf, noBody, queryOf } from '../http/body.ts';
import { limitConcurrency } from '../http/concurrency-limiter.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { sendEventStream } from '../http/send-event-stream.ts';
import { readInboxEvents } from './event-stream.ts';
import type { Agent } from './handover-inbox.ts';
import type { OpenHandover } from './open-handover.ts';

/** Maximum number of event streams per agent, and per process. */
const maxStreams = { ofAgent: 10, ofAll: 500 };

/** Routes of the inbox: agents answer handovers. */
export function createInboxRoutes(deps: {
  handover: Pick<OpenHandover, 'inbox' | 'changes'>;
  editors: Pick<Editors, 'isAgent'>;
  sessions: Pick<Sessions, 'find'>;
  needToken: DeskMiddleware;
  log: Pick<Logger, 'info'>;
}): DeskRouter {
  const { inbox, changes } = deps.handover;
  const { editors, sessions, needToken, log } = deps;
  const router: DeskRouter = new Router({ prefix: '/api/inbox' });

  const needAgent: DeskMiddleware = (ctx, next) =>
    needToken(ctx, () => {
      if (!editors.isAgent(signedIn(ctx).user)) throw new ApiError('forbidden');
      return next();
    });

  router.get('/', needAgent, async (ctx) => {
    const { state, ...page } = queryOf(ctx, InboxQuery);
    ctx.body = await inbox.list(agentOf(ctx), state, page);
  });

  router.get('/summary', needToken, async (ctx) => {
    if (!editors.isAgent(signedIn(ctx).user)) {
      ctx.body = { open: null, waiting: null };
      return;
    }
    const [open, waiting] = await Promise.all([inbox.countOpen(), inbox.countWaiting(agentOf(ctx))]);
    ctx.body = { open, waiting } satisfies InboxSummary;
  });

  router.get('/events', needAgent, limitConcurrency(maxStreams.ofAgent, maxStreams.ofAll), (ctx) => {
    const token = bearerOf(ctx) ?? '';
    const isStillThere = async () => {
      const session = await sessions.find(token);
      return session !== null && editors.isAgent(session.user);
    };
    sendEventStream(ctx, (signal) => readInboxEvents({ inbox, changes }, isStillThere, signal));
  });

  router.get('/:id', needAgent, async (ctx) => {
    ctx.body = await inbox.find(agentOf(ctx), idOf(ctx));
  });

  router.post('/:id/take', needAgent, noBody(), async (ctx) => {
    ctx.body = await inbox.take(agentOf(ctx), idOf(ctx));
  });

  router.post('/:id/release', needAgent, noBody(), async (ctx) => {
    ctx.body = await inbox.release(agentOf(ctx), idOf(ctx));
  });

  router.post('/:id/close', needAgent, noBody(), async (ctx) => {
    ctx.body = await inbox.close(agentOf(ctx), idOf(ctx));
  });

  router.post('/:id/messages', needAgent, body(HandoverMessageRequest), async (ctx) => {
    ctx.body = await inbox.reply(agentOf(ctx), idOf(ctx), bodyOf(ctx, HandoverMessageRequest));
  });

  router.post('/:id/pair', needAgent, body(InboxPairRequest), async (ctx) => {
    const detail = await inbox.addPair(agentOf(ctx), idOf(ctx), bodyOf(ctx, InboxPairRequest));
    log.info({ actor: ctx.state.owner, action: 'add pair', id: detail.pairId }, 'knowledge was changed');
    ctx.body = detail;
  });

  return router;
}

function agentOf(ctx: DeskContext): Agent {
  return { id: ctx.state.owner, name: signedIn(ctx).user.username };
}

function idOf(ctx: DeskContext): string {
  return ctx.params.id ?? '';
}
