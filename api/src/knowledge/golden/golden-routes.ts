import { GoldenImport, type GoldenReply, GoldenRequest } from '../../contract/golden.ts';
import { body, bodyOf, noBody } from '../../http/body.ts';
import type { DeskContext, DeskRouter } from '../../http/desk-state.ts';
import { idOf } from '../../http/id-of.ts';
import type { Knowledge } from '../open-knowledge.ts';

/** Adds the routes of golden questions, for editors, to those of the knowledge base. */
export function addGoldenRoutes(
  router: DeskRouter,
  { golden, goldenRuns }: Pick<Knowledge, 'golden' | 'goldenRuns'>,
  note: (ctx: DeskContext, action: string, id: string) => void,
): void {
  router.get('/golden', async (ctx) => {
    ctx.body = await golden.list();
  });

  router.get('/golden/rated', async (ctx) => {
    ctx.body = await golden.rated(ctx.state.owner);
  });

  router.post('/golden', body(GoldenRequest), async (ctx) => {
    const added = await golden.add(bodyOf(ctx, GoldenRequest));
    note(ctx, 'add golden question', added.id);
    ctx.status = 201;
    ctx.body = { golden: added } satisfies GoldenReply;
  });

  router.put('/golden/:id', body(GoldenRequest), async (ctx) => {
    const changed = await golden.change(idOf(ctx), bodyOf(ctx, GoldenRequest));
    note(ctx, 'change golden question', changed.id);
    ctx.body = { golden: changed } satisfies GoldenReply;
  });

  router.delete('/golden/:id', noBody(), async (ctx) => {
    await golden.remove(idOf(ctx));
    note(ctx, 'delete golden question', idOf(ctx));
    ctx.status = 204;
  });

  router.post('/golden/import', body(GoldenImport), async (ctx) => {
    ctx.body = await golden.import(bodyOf(ctx, GoldenImport).csv);
    note(ctx, 'import golden questions', '');
  });

  router.post('/golden/run', noBody(), async (ctx) => {
    await goldenRuns.request();
    ctx.status = 202;
    ctx.body = await golden.list();
  });
}
