import type { Context } from 'koa';

/** Where browsers tell what they refused: see compositions/violation-routes.ts. */
const REPORTS = 'desk';

export interface PageSources {
  /** Origins other than our own that releases are fetched from. */
  releaseOrigins: readonly string[];
  imageOrigins: readonly string[];
  /** Where a developer's server tells of changes: `ws://127.0.0.1:3002`. */
  socketOrigins?: readonly string[];
  /** `sha256-…` of the import map, the one inline script. */
  importMapHash: string;
}

/**
 * The page's Content-Security-Policy. No inline script but the import map, no inline style, no eval, no HTML from text: the import
 * map's `integrity` decides which bytes may run, this decides where they may come from.
 */
export function contentSecurityPolicy({
  releaseOrigins,
  imageOrigins,
  socketOrigins = [],
  importMapHash,
}: PageSources): string {
  const own = ["'self'", ...releaseOrigins];
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': [...own, `'${importMapHash}'`],
    'style-src': own,
    'img-src': [...own, 'blob:', ...imageOrigins],
    'font-src': own,
    'connect-src': [...own, ...socketOrigins],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ["'none'"],
    'report-to': [REPORTS],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(' ')}`)
    .join('; ');
}

export interface PageHeaders {
  /** The Content-Security-Policy. */
  policy: string;
  /** Scripts come that nobody knows beforehand: from a developer's own server. */
  hasUnprovenScripts?: boolean;
}

/** What every page of ours says, whatever is on it. */
export function setPageHeaders(ctx: Context, { policy, hasUnprovenScripts = false }: PageHeaders): void {
  ctx.set('Content-Security-Policy', policy);
  ctx.set('Reporting-Endpoints', `${REPORTS}="/ops/violations"`);
  if (!hasUnprovenScripts)
    ctx.set('Integrity-Policy', `blocked-destinations=(script), endpoints=(${REPORTS})`);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
}
