import Router from '@koa/router';
import { PageQuery } from '../contract/fields.ts';
import {
  type FeedbackReply,
  FeedbackRequest,
  RecordFilter,
  type RecordStats,
  SearchRequest,
} from '../contract/search.ts';
import { body, bodyOf, queryOf } from '../http/body.ts';
import type { DeskContext, DeskRouter } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import type { OpenRecords } from './open-records.ts';

/** Routes to list, find, search and rate the owner's records, and read statistics. */
export function createRecordRoutes(
  { recordList, search, stats }: OpenRecords,
  /** Figures about handovers; undefined unless the caller may see them. */
  handoverFigures: (ctx: DeskContext) => Promise<RecordStats['handovers']>,
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });

  router.get('/records', async (ctx) => {
    ctx.body = await recordList.page(ctx.state.owner, queryOf(ctx, PageQuery));
  });

  router.get('/records/:id', async (ctx) => {
    ctx.body = await recordList.find(ctx.state.owner, idOf(ctx));
  });

  router.post('/search', body(SearchRequest), async (ctx) => {
    const { cursor, limit, ...filter } = bodyOf(ctx, SearchRequest);
    ctx.body = await search.page(ctx.state.owner, filter, { cursor, limit });
  });

  const sendStats = async (ctx: DeskContext, filter: RecordFilter) => {
    const ofRecords = await stats.of(ctx.state.owner, filter);
    const handovers = await handoverFigures(ctx);
    ctx.body = handovers ? { ...ofRecords, handovers } : ofRecords;
  };
  router.get('/stats', (ctx) => sendStats(ctx, queryOf(ctx, RecordFilter)));
  router.post('/stats', body(RecordFilter), (ctx) => sendStats(ctx, bodyOf(ctx, RecordFilter)));

  router.post('/feedback', body(FeedbackRequest), async (ctx) => {
    const given = bodyOf(ctx, FeedbackRequest);
    await recordList.rate(ctx.state.owner, given);
    ctx.body = { recordId: given.recordId, rating: given.rating } satisfies FeedbackReply;
  });

  return router;
}
