import { GoldenImport, type GoldenReply, GoldenRequest, NewGolden } from '../../contract/golden.ts';
import { noBody } from '../../http/body.ts';
import type { DeskContext } from '../../http/desk-state.ts';
import { idOf } from '../../http/id-of.ts';
import type { DeskRoutes } from '../../http/routes.ts';
import type { Knowledge } from '../open-knowledge.ts';

/** Adds the routes of golden questions, for editors, to those of the knowledge base. */
export function addGoldenRoutes(
  router: DeskRoutes,
  { golden, goldenRuns, accessOf }: Pick<Knowledge, 'golden' | 'goldenRuns' | 'accessOf'>,
  note: (ctx: DeskContext, action: string, id: string) => void,
): void {
  const access = ({ state }: DeskContext) => accessOf(state.owner);

  router.get('/golden', async (ctx) => golden.list(await access(ctx)));
  router.get('/golden/rated', ({ state }) => golden.rated(state.owner));

  router.post('/golden', NewGolden, async (ctx, given) => {
    const added = await golden.add(given, await access(ctx));
    note(ctx, 'add golden question', added.id);
    ctx.status = 201;
    return { golden: added } satisfies GoldenReply;
  });

  router.put('/golden/:id', GoldenRequest, async (ctx, request) => {
    const changed = await golden.change(idOf(ctx), request, await access(ctx));
    note(ctx, 'change golden question', changed.id);
    return { golden: changed } satisfies GoldenReply;
  });

  router.delete('/golden/:id', noBody(), async (ctx) => {
    await golden.remove(idOf(ctx), await access(ctx));
    note(ctx, 'delete golden question', idOf(ctx));
  });

  router.post('/golden/import', GoldenImport, async (ctx, given) => {
    ctx.body = await golden.import(given, await access(ctx));
    note(ctx, 'import golden questions', '');
  });

  router.post('/golden/run', noBody(), async (ctx) => {
    await goldenRuns.request();
    ctx.status = 202;
    return golden.list(await access(ctx));
  });
}
