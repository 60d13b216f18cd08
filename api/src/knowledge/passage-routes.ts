import type { ReadPassage } from '../answers/index/read-passage.ts';
import type { Starters } from '../answers/pairs/starters.ts';
import type { StarterList } from '../contract/answers.ts';
import { idOf } from '../http/id-of.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';

/** Routes for the passages that citations link to, and for example questions. */
export function createPassageRoutes(deps: { readPassage: ReadPassage; starters: Starters }): DeskRoutes {
  const router = createRoutes('/api');

  router.get('/passages/:id', (ctx) => deps.readPassage(idOf(ctx), ctx.state.owner));

  router.get('/starters', async ({ state }) => {
    return { starters: await deps.starters(state.language, state.owner) } satisfies StarterList;
  });

  return router;
}
