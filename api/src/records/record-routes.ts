import { PageQuery } from '../contract/fields.ts';
import {
  type FeedbackReply,
  FeedbackRequest,
  RecordFilter,
  type RecordStats,
  SearchRequest,
} from '../contract/search.ts';
import type { DeskContext } from '../http/desk-state.ts';
import { idOf } from '../http/id-of.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { OpenRecords } from './open-records.ts';

/** Routes to list, find, search and rate the owner's records, and read statistics. */
export function createRecordRoutes(
  { recordList, search, stats }: OpenRecords,
  /** Figures about handovers; undefined unless the caller may see them. */
  handoverFigures: (ctx: DeskContext) => Promise<RecordStats['handovers']>,
): DeskRoutes {
  const router = createRoutes('/api');

  router.get('/records', PageQuery, ({ state }, page) => recordList.page(state.owner, page));
  router.get('/records/:id', (ctx) => recordList.find(ctx.state.owner, idOf(ctx)));

  router.post('/search', SearchRequest, ({ state }, { cursor, limit, ...filter }) =>
    search.page(state.owner, filter, { cursor, limit }),
  );

  const readStats = async (ctx: DeskContext, filter: RecordFilter) => {
    const ofRecords = await stats.of(ctx.state.owner, filter);
    const handovers = await handoverFigures(ctx);
    return handovers ? { ...ofRecords, handovers } : ofRecords;
  };
  router.get('/stats', RecordFilter, readStats);
  router.post('/stats', RecordFilter, readStats);

  router.post('/feedback', FeedbackRequest, async ({ state }, given) => {
    await recordList.rate(state.owner, given);
    return { recordId: given.recordId, rating: given.rating } satisfies FeedbackReply;
  });

  return router;
}
