import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Router from '@koa/router';
import type { DeskRouter } from './desk-state.ts';

/** GET /api/openapi.json: the description of the API, which `npm run openapi -- write` generates from its contract. */
export function createOpenApiRoutes(): DeskRouter {
  const router: DeskRouter = new Router({ prefix: '/api' });
  let description: { text: string; etag: string } | undefined;

  router.get('/openapi.json', async (ctx) => {
    description ??= await readDescription();
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.status = 200;
    ctx.type = 'application/json; charset=utf-8';
    ctx.etag = description.etag;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = description.text;
  });

  return router;
}

async function readDescription() {
  const text = await readFile(join(import.meta.dirname, '../../openapi.json'), 'utf8');
  return { text, etag: createHash('sha256').update(text).digest('base64url').slice(0, 24) };
}
