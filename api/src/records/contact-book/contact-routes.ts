import type { z } from 'zod';
import {
  ContactChange,
  ContactMergeRequest,
  ContactQuery,
  ContactRequest,
  ContactSearch,
} from '../../contract/contacts.ts';
import { UndoRequest } from '../../contract/deletions.ts';
import type { DeskContext } from '../../http/desk-state.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { OpenRecords } from '../open-records.ts';

/**
 * Routes to list the owner's contacts, to read one with its figures, to rename, note and merge them, and to undo that. The
 * id of a contact is a phone number or an address, so it is in the body: proxies and logs write down paths and queries.
 */
export function createContactRoutes({ contacts, contactBook }: OpenRecords): DeskRoutes {
  const router = createRoutes('/api');

  type Asked = z.output<typeof ContactQuery> | z.output<typeof ContactSearch>;
  const list = ({ state }: DeskContext, { q, details, ...request }: Asked) =>
    (details === true || details === '1' ? contactBook : contacts).list(state.owner, q, request);
  router.get('/contacts', ContactQuery, list);
  router.post('/contacts/search', ContactSearch, list);

  router.post('/contacts/read', ContactRequest, ({ state }, request) =>
    contactBook.find(state.owner, request.id),
  );

  router.patch('/contacts', ContactChange, ({ state }, change) => contactBook.change(state.owner, change));

  router.post('/contacts/merge', ContactMergeRequest, ({ state }, { id, into, dryRun }) =>
    contactBook.merge(state.owner, id, into, dryRun),
  );

  router.post('/undo_contact', UndoRequest, ({ state }, request) =>
    contactBook.undo(state.owner, request.undoToken),
  );

  return router;
}
