import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import { CollectionRequest } from '../contract/collections.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from '../http/routes.ts';
import type { Collections } from './collections.ts';

/** Routes for the collections of the knowledge: administrators change them. Changes reply with the new list. */
export function createCollectionRoutes(deps: {
  collections: Collections;
  models: Pick<KnowledgeModels, 'documents' | 'pairs'>;
  /** Hides its unanswered questions before it is deleted. */
  hideQuestions(collectionId: string): Promise<void>;
  /** Deletes what else belongs to a collection that was deleted. */
  forget(collectionId: string): Promise<void>;
}): DeskRoutes {
  const { collections, models, hideQuestions, forget } = deps;
  const router = createRoutes('/api/knowledge/collections');

  const list = ({ state }: DeskContext) =>
    collections.list(state.owner, state.rights.includes('administer'), models);

  router.get('/', (ctx) => list(ctx));

  router.post('/', CollectionRequest, async (ctx, request) => {
    await collections.add(request);
    ctx.status = 201;
    return list(ctx);
  });

  router.put('/:id', CollectionRequest, async (ctx, request) => {
    await collections.change(idOf(ctx), request);
    return list(ctx);
  });

  router.delete('/:id', noBody(), async (ctx) => {
    await collections.remove(idOf(ctx), models, hideQuestions);
    await forget(idOf(ctx));
    return list(ctx);
  });

  return router;
}
