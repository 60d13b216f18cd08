import Router from '@koa/router';
import {
  DeleteByContact,
  DeleteByDate,
  DeleteByIds,
  type PurgeReply,
  type UndoReply,
  UndoRequest,
} from '../../contract/deletions.ts';
import { PageQuery } from '../../contract/fields.ts';
import { body, bodyOf, queryOf } from '../../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../../http/desk-state.ts';
import type { Erasures } from './erasures.ts';

/** Routes to delete records, to undo deletions, and to purge. */
export function createErasureRoutes(deps: { erasures: Erasures; identify: DeskMiddleware }): DeskRouter {
  const { erasures, identify } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.post('/delete_by_contact', identify, body(DeleteByContact), async (ctx) => {
    const { contact, dryRun } = bodyOf(ctx, DeleteByContact);
    ctx.body = await erasures.eraseContact(ctx.state.owner, contact, dryRun);
  });

  router.post('/delete_by_date', identify, body(DeleteByDate), async (ctx) => {
    const { contact, dryRun, ...days } = bodyOf(ctx, DeleteByDate);
    ctx.body = await erasures.eraseDays(ctx.state.owner, days, contact, dryRun);
  });

  router.post('/delete_by_ids', identify, body(DeleteByIds), async (ctx) => {
    const { ids, filter, dryRun } = bodyOf(ctx, DeleteByIds);
    const { owner } = ctx.state;
    ctx.body = ids
      ? await erasures.eraseIds(owner, ids, dryRun)
      : await erasures.eraseFound(owner, filter ?? {}, dryRun);
  });

  router.post('/undo_delete', identify, body(UndoRequest), async (ctx) => {
    ctx.body = {
      restored: await erasures.undo(ctx.state.owner, bodyOf(ctx, UndoRequest).undoToken),
    } satisfies UndoReply;
  });

  router.post('/purge', identify, body(UndoRequest), async (ctx) => {
    ctx.body = {
      purged: await erasures.purge(ctx.state.owner, bodyOf(ctx, UndoRequest).undoToken),
    } satisfies PurgeReply;
  });

  router.get('/bin', identify, async (ctx) => {
    ctx.body = await erasures.bin(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  return router;
}
