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

const ContactQuery = PageQuery.extend({
  q: ContactText.default(''),
  details: z.enum(['0', '1']).default('0'),
});

const Change = z
  .strictObject({
    name: trimmedText(maxContactLength).optional(),
    note: trimmedText(maxNoteLength).optional(),
    revision: z.int().min(0),
  })
  .refine(({ name, note }) => name !== undefined || note !== undefined, { path: ['name'] });

// Strict: a misspelt `dryRun` must not merge.
const Merge = z.strictObject({ into: trimmedText(maxContactLength, 1), dryRun: z.boolean().default(false) });

const Undo = z.object({ undoToken: z.string().min(1).max(200) });

/** Routes to list the owner's contacts, to read one with its figures, to rename, note and merge them, and to undo that. */
export function createContactRoutes(deps: {
  contacts: Contacts;
  contactBook: ContactBook;
  identify: DeskMiddleware;
}): DeskRouter {
  const { contacts, contactBook, identify } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/contacts', identify, async (ctx) => {
    const { q, details, ...request } = queryOf(ctx, ContactQuery);
    const from = details === '1' ? contactBook : contacts;
    ctx.body = await from.list(ctx.state.owner, q, request);
  });

  router.get('/contacts/:id', identify, async (ctx) => {
    ctx.body = await contactBook.find(ctx.state.owner, ctx.params.id ?? '');
  });

  router.patch('/contacts/:id', identify, body(Change), async (ctx) => {
    const change = withoutUndefined(bodyOf(ctx, Change));
    ctx.body = await contactBook.change(ctx.state.owner, ctx.params.id ?? '', change);
  });

  router.post('/contacts/:id/merge', identify, body(Merge), async (ctx) => {
    const { into, dryRun } = bodyOf(ctx, Merge);
    ctx.body = await contactBook.merge(ctx.state.owner, ctx.params.id ?? '', into, dryRun);
  });

  router.post('/undo_contact', identify, body(Undo), async (ctx) => {
    ctx.body = await contactBook.undo(ctx.state.owner, bodyOf(ctx, Undo).undoToken);
  });

  return router;
}
