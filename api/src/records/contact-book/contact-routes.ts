import Router from '@koa/router';
import { z } from 'zod';
import { body, bodyOf, queryOf, trimmedText } from '../../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../../http/desk-state.ts';
import { PageQuery } from '../../http/page-query.ts';
import { withoutUndefined } from '../../http/without-undefined.ts';
import { maxContactLength } from '../contact-id.ts';
import type { Contacts } from '../contacts.ts';
import { ContactText } from '../search/record-filter.ts';
import type { ContactBook } from './contact-book.ts';
import { maxNoteLength } from './contact-notes.ts';

const ContactId = trimmedText(maxContactLength, 1);
const SearchBody = z.strictObject({
  q: ContactText.default(''),
  details: z.boolean().default(false),
  cursor: PageQuery.shape.cursor,
  limit: z.int().min(1).max(100).default(20),
});
const ListQuery = PageQuery.extend({
  q: ContactText.default(''),
  details: z.enum(['0', '1']).default('0'),
});
const Which = z.strictObject({ id: ContactId });
const Change = z
  .strictObject({
    id: ContactId,
    name: trimmedText(maxContactLength).optional(),
    note: trimmedText(maxNoteLength).optional(),
    revision: z.int().min(0),
  })
  .refine(({ name, note }) => name !== undefined || note !== undefined, { path: ['name'] });

// Strict: a misspelt `dryRun` must not merge.
const Merge = z.strictObject({ id: ContactId, into: ContactId, dryRun: z.boolean().default(false) });

const Undo = z.object({ undoToken: z.string().min(1).max(200) });

/**
 * Routes to list the owner's contacts, to read one with its figures, to rename, note and merge them, and to undo that. The
 * id of a contact is a phone number or an address, so it is in the body: proxies and logs write down paths and queries.
 */
export function createContactRoutes(deps: {
  contacts: Contacts;
  contactBook: ContactBook;
  identify: DeskMiddleware;
}): DeskRouter {
  const { contacts, contactBook, identify } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/contacts', identify, async (ctx) => {
    const { q, details, ...request } = queryOf(ctx, ListQuery);
    const from = details === '1' ? contactBook : contacts;
    ctx.body = await from.list(ctx.state.owner, q, request);
  });

  router.post('/contacts/search', identify, body(SearchBody), async (ctx) => {
    const { q, details, ...request } = bodyOf(ctx, SearchBody);
    const from = details ? contactBook : contacts;
    ctx.body = await from.list(ctx.state.owner, q, request);
  });

  router.post('/contacts/read', identify, body(Which), async (ctx) => {
    ctx.body = await contactBook.find(ctx.state.owner, bodyOf(ctx, Which).id);
  });

  router.patch('/contacts', identify, body(Change), async (ctx) => {
    const change = withoutUndefined(bodyOf(ctx, Change));
    ctx.body = await contactBook.change(ctx.state.owner, change);
  });

  router.post('/contacts/merge', identify, body(Merge), async (ctx) => {
    const { id, into, dryRun } = bodyOf(ctx, Merge);
    ctx.body = await contactBook.merge(ctx.state.owner, id, into, dryRun);
  });

  router.post('/undo_contact', identify, body(Undo), async (ctx) => {
    ctx.body = await contactBook.undo(ctx.state.owner, bodyOf(ctx, Undo).undoToken);
  });

  return router;
}
