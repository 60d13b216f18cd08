import Router from '@koa/router';
import type { ReadPassage } from '../answers/index/read-passage.ts';
import type { Starters } from '../answers/pairs/starters.ts';
import type { StarterList } from '../contract/answers.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';

/** Routes for the passages that citations link to, and for example questions. */
export function createPassageRoutes(deps: { readPassage: ReadPassage; starters: Starters }): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/passages/:id', async (ctx) => {
    ctx.body = await deps.readPassage(idOf(ctx), ctx.state.owner);
  });

  router.get('/starters', async (ctx) => {
    ctx.body = { starters: await deps.starters(ctx.state.language, ctx.state.owner) } satisfies StarterList;
  });

  return router;
}
