import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PageRoute } from 'api/contract/pages';

const root = path.join(import.meta.dirname, '../../..');

function routesOf(release: string): PageRoute[] {
  const { routes } = JSON.parse(readFileSync(path.join(root, release, 'desk.json'), 'utf8'));
  return routes.map(({ module, ...route }: { module: string }) => ({
    ...route,
    screen: `${release}/${module}`,
  }));
}

/**
 * The routes of this project's releases, as a page's composition lists them. Without those for administrators: where they exist, the frame asks
 * the server for the rights of the account.
 */
export const SAMPLE_ROUTES = ['mfe-chat', 'mfe-auth', 'mfe-records', 'host']
  .flatMap(routesOf)
  .filter(({ path }) => !['/settings', '/people', '/audit'].includes(path));
