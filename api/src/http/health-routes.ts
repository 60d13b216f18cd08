import { statfs } from 'node:fs/promises';
import Router from '@koa/router';
import { diskFull, unavailable } from '../errors/errors.ts';
import type { DeskRouter } from './desk-state.ts';

interface HealthDeps {
  /** Resolves if the store answers. */
  ping(): Promise<void>;
  config: { dataDir: string };
}

/** Free bytes below which the embedded store can hardly write. */
const LEAST_FREE = 4 * 1024 * 1024;

/** /healthz: the process is alive. /readyz: it can serve requests, that is, its store answers and the disk of DATA_DIR is not full. */
export function createHealthRoutes(deps: HealthDeps): DeskRouter {
  const router: DeskRouter = new Router();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    await deps.ping().catch(() => {
      throw unavailable();
    });
    if ((await freeBytes(deps.config.dataDir)) < LEAST_FREE) throw diskFull();
    ctx.body = { status: 'ready' };
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
