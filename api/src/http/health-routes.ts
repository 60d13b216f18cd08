import { statfs } from 'node:fs/promises';
import { ApiError } from '../errors/errors.ts';
import type { DatabaseClock } from '../store/database-clock.ts';
import { createRoutes, type DeskRoutes } from './routes.ts';

interface HealthDeps {
  ping(): Promise<void>;
  clock: Pick<DatabaseClock, 'difference'>;
  config: { dataDir: string };
  /** Aborts when the server begins to stop. */
  drain: AbortSignal;
}

/** Free bytes below which the embedded store can hardly write. */
const LEAST_FREE = 4 * 1024 * 1024;

/**
 * /healthz: the process is alive. /readyz: it can serve requests, that is, its store answers, the disk of DATA_DIR is not full and it is not stopping;
 * with `clockBehindMs` if this machine's clock is more than 5 s away from the database's.
 */
export function createHealthRoutes(deps: HealthDeps): DeskRoutes {
  const router = createRoutes();

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

  return router;
}

/** Infinity if the file system does not tell. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
