import Router from '@koa/router';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { CollectionRequest } from '../contract/collections.ts';
import { body, bodyOf, noBody } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { Collections } from './collections.ts';

/** Routes for the collections of the knowledge: administrators change them. Changes reply with the new list. */
export function createCollectionRoutes(deps: {
  collections: Collections;
  models: Pick<KnowledgeModels, 'documents' | 'pairs'>;
  /** Hides its unanswered questions before it is deleted. */
  hideQuestions(collectionId: string): Promise<void>;
  /** Deletes what else belongs to a collection that was deleted. */
  forget(collectionId: string): Promise<void>;
}): DeskRouter {
  const { collections, models, hideQuestions, forget } = deps;
  const router: DeskRouter = new Router({ prefix: '/api/knowledge/collections' });

  const list = ({ state }: DeskContext) =>
    collections.list(state.owner, state.rights.includes('administer'), models);

  router.get('/', async (ctx) => {
    ctx.body = await list(ctx);
  });

  router.post('/', body(CollectionRequest), async (ctx) => {
    await collections.add(bodyOf(ctx, CollectionRequest));
    ctx.status = 201;
    ctx.body = await list(ctx);
  });

  router.put('/:id', body(CollectionRequest), async (ctx) => {
    await collections.change(idOf(ctx), bodyOf(ctx, CollectionRequest));
    ctx.body = await list(ctx);
  });

  router.delete('/:id', noBody(), async (ctx) => {
    await collections.remove(idOf(ctx), models, hideQuestions);
    await forget(idOf(ctx));
    ctx.body = await list(ctx);
  });

  return router;
}
