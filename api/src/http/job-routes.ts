import type { Logger } from 'pino';
import type { DeadJobs } from '../contract/jobs.ts';
import { notFound } from '../errors/errors.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import { noBody } from './body.ts';
import type { DeskMiddleware } from './desk-state.ts';
import { idOf } from './id-of.ts';
import { createRoutes, type DeskRoutes } from './routes.ts';

/** /ops/jobs: background work that has failed too often. */
export function createJobRoutes({
  jobs,
  needAdmin,
  log,
}: {
  jobs: Pick<Jobs, 'listDead' | 'revive'>;
  needAdmin: DeskMiddleware;
  log: Pick<Logger, 'info'>;
}): DeskRoutes {
  const router = createRoutes('/ops/jobs');
  router.use(needAdmin);

  router.get('/', async () => {
    const dead = await jobs.listDead();
    return {
      jobs: dead.map(({ _id, kind, key, attempts, failure }) => ({ id: _id, kind, key, attempts, failure })),
    } satisfies DeadJobs;
  });

  router.post('/:id/retry', noBody(), async (ctx) => {
    const id = idOf(ctx);
    if (!(await jobs.revive(id))) throw notFound('job');
    const { opsToken, requestId } = ctx.state;
    log.info({ job: id, by: opsToken.name, requestId }, 'a job is run again');
  });

  return router;
}
