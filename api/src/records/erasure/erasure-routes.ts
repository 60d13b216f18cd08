import Router from '@koa/router';
import { z } from 'zod';
import { body, bodyOf, queryOf } from '../../http/body.ts';
import type { DeskMiddleware, DeskRouter } from '../../http/desk-state.ts';
import { PageQuery } from '../../http/page-query.ts';
import { withoutUndefined } from '../../http/without-undefined.ts';
import { ContactText, Day, endsAfterItBegins, Filter, TimeZone, wrongEnd } from '../search/record-filter.ts';
import type { Erasures } from './erasures.ts';

// All bodies are strict: a misspelt `dryRun` or `contact` must not delete the wrong records.
const dryRun = z.boolean().default(false);

const ByContact = z.strictObject({ contact: ContactText, dryRun });

const ByDate = z
  .strictObject({
    date: Day.optional(),
    from: Day.optional(),
    to: Day.optional(),
    tz: TimeZone.default('UTC'),
    contact: ContactText.optional(),
    dryRun,
  })
  .refine(endsAfterItBegins, wrongEnd)
  .transform(({ date, from, to, ...others }, ctx) => {
    const days = date === undefined ? { from, to } : { from: date, to: date };
    const isWhole = days.from !== undefined && days.to !== undefined;
    const isOne = date === undefined || (from === undefined && to === undefined);
    if (isWhole && isOne) return { ...others, from: days.from ?? '', to: days.to ?? '' };
    const missing = from === undefined ? 'from' : 'to';
    const isNeither = from === undefined && to === undefined;
    ctx.addIssue({ code: 'custom', path: [!isOne || isNeither ? 'date' : missing] });
    return z.NEVER;
  });

const ByIds = z
  .strictObject({ ids: z.array(z.string().max(100)).min(1).optional(), filter: Filter.optional(), dryRun })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), { path: ['ids'] });

const Token = z.object({ undoToken: z.string().min(1).max(200) });

/** Routes to delete records, to undo deletions, and to purge. */
export function createErasureRoutes(deps: { erasures: Erasures; identify: DeskMiddleware }): DeskRouter {
  const { erasures, identify } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.post('/delete_by_contact', identify, body(ByContact), async (ctx) => {
    const { contact, dryRun } = bodyOf(ctx, ByContact);
    ctx.body = await erasures.eraseContact(ctx.state.owner, contact, dryRun);
  });

  router.post('/delete_by_date', identify, body(ByDate), async (ctx) => {
    const { contact, dryRun, ...days } = bodyOf(ctx, ByDate);
    ctx.body = await erasures.eraseDays(ctx.state.owner, days, contact, dryRun);
  });

  router.post('/delete_by_ids', identify, body(ByIds), async (ctx) => {
    const { ids, filter, dryRun } = bodyOf(ctx, ByIds);
    const { owner } = ctx.state;
    ctx.body = ids
      ? await erasures.eraseIds(owner, ids, dryRun)
      : await erasures.eraseFound(owner, withoutUndefined(filter ?? {}), dryRun);
  });

  router.post('/undo_delete', identify, body(Token), async (ctx) => {
    ctx.body = { restored: await erasures.undo(ctx.state.owner, bodyOf(ctx, Token).undoToken) };
  });

  router.post('/purge', identify, body(Token), async (ctx) => {
    ctx.body = { purged: await erasures.purge(ctx.state.owner, bodyOf(ctx, Token).undoToken) };
  });

  router.get('/bin', identify, async (ctx) => {
    ctx.body = await erasures.bin(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  return router;
}
