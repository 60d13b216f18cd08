import Router from '@koa/router';
import {
  ContactChange,
  ContactMergeRequest,
  ContactQuery,
  ContactRequest,
  ContactSearch,
} from '../../contract/contacts.ts';
import { UndoRequest } from '../../contract/deletions.ts';
import { body, bodyOf, queryOf } from '../../http/body.ts';
import type { DeskRouter } from '../../http/desk-state.ts';
import type { OpenRecords } from '../open-records.ts';

/**
 * Routes to list the owner's contacts, to read one with its figures, to rename, note and merge them, and to undo that. The
 * id of a contact is a phone number or an address, so it is in the body: proxies and logs write down paths and queries.
 */
export function createContactRoutes({ contacts, contactBook }: OpenRecords): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/contacts', async (ctx) => {
    const { q, details, ...request } = queryOf(ctx, ContactQuery);
    const from = details === '1' ? contactBook : contacts;
    ctx.body = await from.list(ctx.state.owner, q, request);
  });

  router.post('/contacts/search', body(ContactSearch), async (ctx) => {
    const { q, details, ...request } = bodyOf(ctx, ContactSearch);
    const from = details ? contactBook : contacts;
    ctx.body = await from.list(ctx.state.owner, q, request);
  });

  router.post('/contacts/read', body(ContactRequest), async (ctx) => {
    ctx.body = await contactBook.find(ctx.state.owner, bodyOf(ctx, ContactRequest).id);
  });

  router.patch('/contacts', body(ContactChange), async (ctx) => {
    const change = bodyOf(ctx, ContactChange);
    ctx.body = await contactBook.change(ctx.state.owner, change);
  });

  router.post('/contacts/merge', body(ContactMergeRequest), async (ctx) => {
    const { id, into, dryRun } = bodyOf(ctx, ContactMergeRequest);
    ctx.body = await contactBook.merge(ctx.state.owner, id, into, dryRun);
  });

  router.post('/undo_contact', body(UndoRequest), async (ctx) => {
    ctx.body = await contactBook.undo(ctx.state.owner, bodyOf(ctx, UndoRequest).undoToken);
  });

  return router;
}
