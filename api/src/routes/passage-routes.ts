import Router from '@koa/router';
import type { Passage } from '../contract.ts';
import type { DeskMiddleware, DeskRouter } from '../middleware/desk-state.ts';

/** Reads a passage that `owner` may read: a shared one, or one of its own. @throws notFound('passage') for any other. */
export type ReadPassage = (id: string, owner: string) => Promise<Passage>;

/** What a citation's `href` leads to. */
export function createPassageRoutes(deps: {
  readPassage: ReadPassage;
  identify: DeskMiddleware;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api/passages' });

  router.get('/:id', deps.identify, async (ctx) => {
    ctx.body = await deps.readPassage(ctx.params.id ?? '', ctx.state.owner);
  });

  return router;
}
