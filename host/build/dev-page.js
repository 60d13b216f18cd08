/** Addresses of dev servers, and the pages that they serve. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { containerName, contractVersion, deskOf, RELEASED, root } from './project.js';

/** The first port of dev servers. The API has 8080; a remote in a repository of its own has its configured port, or this one. */
export const DEV_PORT = Number(process.env.DEV_PORT || 3000);

const DEV_PORTS = Object.fromEntries(RELEASED.map((name, index) => [name, DEV_PORT + index]));

/** Hosts of deployed servers, from DESK_URL: comma-separated addresses. */
export const DESK_HOSTS = (process.env.DESK_URL ?? '')
  .split(',')
  .filter(Boolean)
  .map((url) => new URL(url).hostname);

export const API = process.env.API_URL ?? 'http://127.0.0.1:8080';

/** The dev server's port; `own` is that of a remote in its own repository. */
export function portOf(name, own = DEV_PORT) {
  return DEV_PORTS[name] ?? (process.env.DEV_PORT ? DEV_PORT : own);
}

/** With `head`: a composition from the API, or the addresses of dev servers. */
export function page(head) {
  return readFileSync(path.join(root, 'host/src/index.html'), 'utf8')
    .replace('<!--icons-->', () => readFileSync(path.join(root, 'host/src/icons.svg'), 'utf8'))
    .replace('<!--head-->', () => head);
}

/** Every remote from its dev server, as PageComposition of the contract. */
export function devHead() {
  const release = (name) => ({
    name,
    version: 'dev',
    entry: `http://127.0.0.1:${DEV_PORTS[name]}/remoteEntry.js`,
    container: name === 'host' ? '' : containerName(name),
    contract: contractVersion(),
    exposes: {},
  });
  const part = (name) => ({ ...release(name), previous: null });
  const remotes = Object.keys(DEV_PORTS).filter((name) => name !== 'host');
  const composition = {
    id: '',
    host: part('host'),
    remotes: Object.fromEntries(remotes.map((name) => [name, part(name)])),
    routes: RELEASED.flatMap((name) =>
      deskOf(path.join(root, name)).routes.map(({ module, ...route }) => ({
        ...route,
        screen: `${name}/${module}`,
      })),
    ),
    avatars: {},
  };
  return `<script type="application/json" id="composition">${JSON.stringify(composition)}</script>`;
}
