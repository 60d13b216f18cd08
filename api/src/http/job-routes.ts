import Router from '@koa/router';
import type { Logger } from 'pino';
import type { DeadJobs } from '../contract/jobs.ts';
import { notFound } from '../errors/errors.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import { noBody } from './body.ts';
import type { DeskMiddleware, DeskRouter } from './desk-state.ts';
import { idOf } from './id-of.ts';

/** /ops/jobs: background work that has failed too often. */
export function createJobRoutes({
  jobs,
  needAdmin,
  log,
}: {
  jobs: Pick<Jobs, 'listDead' | 'revive'>;
  needAdmin: DeskMiddleware;
  log: Pick<Logger, 'info'>;
}): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/ops/jobs' });
  router.use(needAdmin);

  router.get('/', async (ctx) => {
    const dead = await jobs.listDead();
    ctx.body = {
      jobs: dead.map(({ _id, kind, key, attempts, failure }) => ({ id: _id, kind, key, attempts, failure })),
    } satisfies DeadJobs;
  });

  router.post('/:id/retry', noBody(), async (ctx) => {
    const id = idOf(ctx);
    if (!(await jobs.revive(id))) throw notFound('job');
    const { opsToken, requestId } = ctx.state;
    log.info({ job: id, by: opsToken.name, requestId }, 'a job is run again');
    ctx.status = 204;
  });

  return router;
}
