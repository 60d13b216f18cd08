import { GoldenImport, type GoldenReply, GoldenRequest, NewGolden } from '../../contract/golden.ts';
import { body, bodyOf, noBody } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { idOf } from '../../http/id-of.ts';
import type { Knowledge } from '../open-knowledge.ts';

/** Adds the routes of golden questions, for editors, to those of the knowledge base. */
export function addGoldenRoutes(
  router: DeskRouter,
  { golden, goldenRuns, accessOf }: Pick<Knowledge, 'golden' | 'goldenRuns' | 'accessOf'>,
  note: (ctx: DeskContext, action: string, id: string) => void,
): void {
  const access = ({ state }: DeskContext) => accessOf(state.owner);

  router.get('/golden', async (ctx) => {
    ctx.body = await golden.list(await access(ctx));
  });

  router.get('/golden/rated', async (ctx) => {
    ctx.body = await golden.rated(ctx.state.owner);
  });

  router.post('/golden', body(NewGolden), async (ctx) => {
    const added = await golden.add(bodyOf(ctx, NewGolden), await access(ctx));
    note(ctx, 'add golden question', added.id);
    ctx.status = 201;
    ctx.body = { golden: added } satisfies GoldenReply;
  });

  router.put('/golden/:id', body(GoldenRequest), async (ctx) => {
    const changed = await golden.change(idOf(ctx), bodyOf(ctx, GoldenRequest), await access(ctx));
    note(ctx, 'change golden question', changed.id);
    ctx.body = { golden: changed } satisfies GoldenReply;
  });

  router.delete('/golden/:id', noBody(), async (ctx) => {
    await golden.remove(idOf(ctx), await access(ctx));
    note(ctx, 'delete golden question', idOf(ctx));
    ctx.status = 204;
  });

  router.post('/golden/import', body(GoldenImport), async (ctx) => {
    ctx.body = await golden.import(bodyOf(ctx, GoldenImport), await access(ctx));
    note(ctx, 'import golden questions', '');
  });

  router.post('/golden/run', noBody(), async (ctx) => {
    await goldenRuns.request();
    ctx.status = 202;
    ctx.body = await golden.list(await access(ctx));
  });
}
