import { type DeskOverview, OverviewQuery } from '../contract/overview.ts';
import { createRoutes, type DeskRoutes } from '../http/routes.ts';
import type { DeskDays } from '../records/statistics/desk-days.ts';
import type { Knowledge } from './open-knowledge.ts';

/** Questions of the unanswered inbox in an overview. */
const maxUnanswered = 10;

export function createOverviewRoutes(
  { documents, inbox, accessOf, questionsOf }: Knowledge,
  deskDays: Pick<DeskDays, 'read'>,
): DeskRoutes {
  const router = createRoutes('/api/overview');

  router.get('/', OverviewQuery, async ({ state: { owner } }, { days, tz }) => {
    const [counts, mostCited, unanswered] = await Promise.all([
      deskDays.read(days, tz),
      documents.mostCited(await accessOf(owner)),
      inbox.list({ limit: maxUnanswered, cursor: undefined }, await questionsOf(owner)),
    ]);
    return {
      ...counts,
      mostCited,
      topUnanswered: unanswered.questions.map(({ question, count }) => ({ question, count })),
    } satisfies DeskOverview;
  });

  return router;
}
