import {
  DeleteByContact,
  DeleteByDate,
  DeleteByIds,
  type PurgeReply,
  type UndoReply,
  UndoRequest,
} from '../../contract/deletions.ts';
import { PageQuery } from '../../contract/fields.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { OpenRecords } from '../open-records.ts';

/** Routes to delete records, to undo deletions, and to purge. */
export function createDeletionRoutes({ deletions }: OpenRecords): DeskRoutes {
  const router = createRoutes('/api');

  router.post('/delete_by_contact', DeleteByContact, ({ state }, { contact, dryRun }) =>
    deletions.deleteContact(state.owner, contact, dryRun),
  );

  router.post('/delete_by_date', DeleteByDate, ({ state }, { contact, dryRun, ...days }) =>
    deletions.deleteDays(state.owner, days, contact, dryRun),
  );

  router.post('/delete_by_ids', DeleteByIds, async ({ state: { owner } }, { ids, filter, dryRun }) =>
    ids
      ? await deletions.deleteIds(owner, ids, dryRun)
      : await deletions.deleteFound(owner, filter ?? {}, dryRun),
  );

  router.post('/undo_delete', UndoRequest, async ({ state }, request) => {
    return {
      restored: await deletions.undo(state.owner, request.undoToken),
    } satisfies UndoReply;
  });

  router.post('/purge', UndoRequest, async ({ state }, request) => {
    return {
      purged: await deletions.purge(state.owner, request.undoToken),
    } satisfies PurgeReply;
  });

  router.get('/bin', PageQuery, ({ state }, page) => deletions.bin(state.owner, page));

  return router;
}
