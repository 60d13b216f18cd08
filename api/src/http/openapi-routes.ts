import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRoutes, type DeskRoutes } from './routes.ts';
import { sendJson } from './send-json.ts';

/** GET /api/openapi.json: the description of the API, which `npm run openapi -- write` generates from its contract. */
export function createOpenApiRoutes(): DeskRoutes {
  const router = createRoutes('/api');
  let description: string | undefined;

  router.get('/openapi.json', async (ctx) => {
    description ??= await readFile(join(import.meta.dirname, '../../openapi.json'), 'utf8');
    sendJson(ctx, description, 'public, max-age=300');
  });

  return router;
}
