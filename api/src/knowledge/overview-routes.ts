import Router from '@koa/router';
import { type DeskOverview, OverviewQuery } from '../contract/overview.ts';
import { queryOf } from '../http/body.ts';
import type { DeskRouter } from '../http/desk-state.ts';
import type { DeskDays } from '../records/statistics/desk-days.ts';
import type { Knowledge } from './open-knowledge.ts';

/** Questions of the unanswered inbox in an overview. */
const maxUnanswered = 10;

export function createOverviewRoutes(
  { documents, inbox, accessOf, questionsOf }: Knowledge,
  deskDays: Pick<DeskDays, 'read'>,
): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api/overview' });

  router.get('/', async (ctx) => {
    const { days, tz } = queryOf(ctx, OverviewQuery);
    const { owner } = ctx.state;
    const [counts, mostCited, unanswered] = await Promise.all([
      deskDays.read(days, tz),
      documents.mostCited(await accessOf(owner)),
      inbox.list({ limit: maxUnanswered, cursor: undefined }, await questionsOf(owner)),
    ]);
    ctx.body = {
      ...counts,
      mostCited,
      topUnanswered: unanswered.questions.map(({ question, count }) => ({ question, count })),
    } satisfies DeskOverview;
  });

  return router;
}
