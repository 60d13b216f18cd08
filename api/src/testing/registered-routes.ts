import type Router from '@koa/router';
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import type { Domains } from '../open-domains.ts';

/** A route of the app with the middleware in front of its handler. */
interface RegisteredRoute {
  /** Method and path, for example `GET /api/records/:id`. */
  call: string;
  stack: readonly unknown[];
}

/** Every route that `createApp` registers, in the order of their registration. */
export function registeredRoutes(): RegisteredRoute[] {
  const domains = new Proxy(
    {},
    {
      get: (_, key) => {
        if (key === 'config') return readConfig({});
        return key === 'accounts' ? withoutGuards : anything();
      },
    },
  );
  const app = createApp(domains as Domains, new AbortController().signal);
  const routers = app.middleware.map((middleware) => (middleware as { router?: Router }).router);
  return routers
    .flatMap((router) => router?.stack ?? [])
    .flatMap(({ methods, path, stack }) =>
      methods
        .filter((method) => method !== 'HEAD')
        .map((method) => ({ call: `${method} ${nameOf(path).replace(/(.)\/$/, '$1')}`, stack })),
    );
}

/** `/ops/releases/:id/files/:path` of the pattern for paths with slashes. */
function nameOf(path: string | RegExp): string {
  if (typeof path === 'string') return path;
  return path.source
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\/', '/')
    .replace('([^/]+)', ':id')
    .replace('(.+)', ':path');
}

/** The routes themselves are of interest. */
const withoutGuards = new Proxy(
  {},
  { get: (_, key) => (key === 'guardRoutes' ? () => undefined : anything()) },
);

/** Has every property, and can be called. */
function anything(): unknown {
  return new Proxy(() => undefined, {
    get: (_, key) => (key === Symbol.toPrimitive ? () => 1 : anything()),
    apply: () => anything(),
  });
}
