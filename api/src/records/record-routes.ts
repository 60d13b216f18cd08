import Router from '@koa/router';
import { z } from 'zod';
import type { RecordStats } from '../contract/search.ts';
import { body, bodyOf, queryOf, trimmedText } from '../http/body.ts';
import type { DeskContext, DeskMiddleware, DeskRouter } from '../http/desk-state.ts';
import { PageQuery } from '../http/page-query.ts';
import { withoutUndefined } from '../http/without-undefined.ts';
import type { FeedbackGiver } from './feedback.ts';
import type { RecordList } from './record-list.ts';
import { endsAfterItBegins, Filter, filterFields, wrongEnd } from './search/record-filter.ts';
import type { Search } from './search/search.ts';
import type { Stats } from './statistics/stats.ts';

const SearchBody = z
  .strictObject({
    ...filterFields,
    cursor: z.string().min(1).max(500).optional(),
    limit: z.number().int().min(1).max(100).default(20),
  })
  .refine(endsAfterItBegins, wrongEnd);

const Rating = z.object({
  recordId: z.string(),
  rating: z.union([z.literal(1), z.literal(-1), z.literal(0)]),
  note: trimmedText(2000).optional(),
});

/** Routes to list, find, search and rate the owner's records, and read statistics. */
export function createRecordRoutes(deps: {
  recordList: RecordList;
  search: Search;
  stats: Stats;
  feedback: FeedbackGiver;
  /** Figures about handovers; undefined unless the caller may see them. */
  handoverFigures(ctx: DeskContext): Promise<RecordStats['handovers']>;
  identify: DeskMiddleware;
}): DeskRouter {
  const { recordList, search, stats, feedback, handoverFigures, identify } = deps;
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/records', identify, async (ctx) => {
    ctx.body = await recordList.page(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  router.get('/records/:id', identify, async (ctx) => {
    ctx.body = await recordList.find(ctx.state.owner, ctx.params.id ?? '');
  });

  router.post('/search', identify, body(SearchBody), async (ctx) => {
    const { cursor, limit, ...filter } = bodyOf(ctx, SearchBody);
    ctx.body = await search.page(ctx.state.owner, withoutUndefined(filter), { cursor, limit });
  });

  const sendStats = async (ctx: DeskContext, filter: Filter) => {
    const ofRecords = await stats.of(ctx.state.owner, withoutUndefined(filter));
    const handovers = await handoverFigures(ctx);
    ctx.body = handovers ? { ...ofRecords, handovers } : ofRecords;
  };
  router.get('/stats', identify, (ctx) => sendStats(ctx, queryOf(ctx, Filter)));
  router.post('/stats', identify, body(Filter), (ctx) => sendStats(ctx, bodyOf(ctx, Filter)));

  router.post('/feedback', identify, body(Rating), async (ctx) => {
    const given = withoutUndefined(bodyOf(ctx, Rating));
    await feedback.rate(ctx.state.owner, given);
    ctx.body = { recordId: given.recordId, rating: given.rating };
  });

  return router;
}
