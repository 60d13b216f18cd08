import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { DeadJobs } from '../contract/jobs.ts';
import { ApiError, notFound } from '../errors/errors.ts';
import type { DatabaseClock } from '../store/database-clock.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { DeskMiddleware } from './desk-state.ts';
import { createRoutes, type DeskRoutes, idOf, noBody } from './routes.ts';
import { sendJson } from './send-json.ts';

/** Free bytes below which the embedded store can hardly write. */
const LEAST_FREE = 4 * 1024 * 1024;

/**
 * - /healthz: the process is alive.
 * - /readyz: it can serve requests: its store answers, the disk of DATA_DIR is not full, and it is not stopping. The response has
 *   `clockBehindMs` if this machine's clock differs from the database's by more than 5 s.
 * - /api/openapi.json: the description of the API, which `npm run openapi -- write` generates from its contract.
 * - /ops/jobs: background work that has failed too often.
 */
export function createServiceRoutes(deps: {
  ping(): Promise<void>;
  clock: Pick<DatabaseClock, 'difference'>;
  config: { dataDir: string };
  /** Aborts when the server begins to stop. */
  drain: AbortSignal;
  jobs: Pick<Jobs, 'listDead' | 'revive'>;
  needAdmin: DeskMiddleware;
  log: Pick<Logger, 'info'>;
}): DeskRoutes {
  const { jobs, needAdmin, log } = deps;
  const router = createRoutes();
  let description: string | undefined;

  router.get('/healthz', () => ({ status: 'ok' }));

  router.get('/readyz', async () => {
    if (deps.drain.aborted) throw new ApiError('unavailable');
    await deps.ping().catch(() => {
      throw new ApiError('unavailable');
    });
    if ((await freeBytes(deps.config.dataDir)) < LEAST_FREE) throw new ApiError('disk_full');
    const clockBehindMs = deps.clock.difference();
    return { status: 'ready', ...(clockBehindMs === 0 ? {} : { clockBehindMs }) };
  });

  router.get('/api/openapi.json', async (ctx) => {
    description ??= await readFile(join(import.meta.dirname, '../../openapi.json'), 'utf8');
    sendJson(ctx, description, 'public, max-age=300');
  });

  router.get('/ops/jobs', needAdmin, async () => {
    const dead = await jobs.listDead();
    return {
      jobs: dead.map(({ _id, kind, key, attempts, failure }) => ({ id: _id, kind, key, attempts, failure })),
    } satisfies DeadJobs;
  });

  router.post('/ops/jobs/:id/retry', needAdmin, noBody(), async (ctx) => {
    const id = idOf(ctx);
    if (!(await jobs.revive(id))) throw notFound('job');
    const { opsToken, requestId } = ctx.state;
    log.info({ job: id, by: opsToken.name, requestId }, 'a job is run again');
  });

  return router;
}

/** Infinity if the file system does not report it. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
