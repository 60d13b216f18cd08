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
import type { DeskRouter } from '../../http/desk-state.ts';
import type { OpenRecords } from '../open-records.ts';

/** Routes to delete records, to undo deletions, and to purge. */
export function createDeletionRoutes({ deletions }: OpenRecords): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.post('/delete_by_contact', body(DeleteByContact), async (ctx) => {
    const { contact, dryRun } = bodyOf(ctx, DeleteByContact);
    ctx.body = await deletions.deleteContact(ctx.state.owner, contact, dryRun);
  });

  router.post('/delete_by_date', body(DeleteByDate), async (ctx) => {
    const { contact, dryRun, ...days } = bodyOf(ctx, DeleteByDate);
    ctx.body = await deletions.deleteDays(ctx.state.owner, days, contact, dryRun);
  });

  router.post('/delete_by_ids', body(DeleteByIds), async (ctx) => {
    const { ids, filter, dryRun } = bodyOf(ctx, DeleteByIds);
    const { owner } = ctx.state;
    ctx.body = ids
      ? await deletions.deleteIds(owner, ids, dryRun)
      : await deletions.deleteFound(owner, filter ?? {}, dryRun);
  });

  router.post('/undo_delete', body(UndoRequest), async (ctx) => {
    ctx.body = {
      restored: await deletions.undo(ctx.state.owner, bodyOf(ctx, UndoRequest).undoToken),
    } satisfies UndoReply;
  });

  router.post('/purge', body(UndoRequest), async (ctx) => {
    ctx.body = {
      purged: await deletions.purge(ctx.state.owner, bodyOf(ctx, UndoRequest).undoToken),
    } satisfies PurgeReply;
  });

  router.get('/bin', async (ctx) => {
    ctx.body = await deletions.bin(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  return router;
}
