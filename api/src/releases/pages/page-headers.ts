import type { Context } from 'koa';

/** Name of the endpoint for browser violation reports, see releases/health/report-routes.ts. */
const REPORTS = 'desk';

export interface PageSources {
  /** Other origins from which releases are loaded. */
  releaseOrigins: readonly string[];
  imageOrigins: readonly string[];
  /** Web sockets on which developers' servers announce changes: `ws://127.0.0.1:3002`. */
  socketOrigins?: readonly string[];
  /** Whether a release consists of classic scripts, whose addresses the host's default policy checks. */
  hasClassicScripts?: boolean;
  /** `sha256-…` of the import map, the only inline script. */
  importMapHash: string;
  /** `sha256-…` of the style elements. */
  styleHashes?: readonly string[];
}

/**
 * The page's Content-Security-Policy: no inline script except the import map, no inline style except the critical style sheets, no eval, no
 * HTML from strings. The import map's `integrity` decides which bytes may run; this decides which origins
 * they may come from.
 */
export function contentSecurityPolicy({
  releaseOrigins,
  imageOrigins,
  socketOrigins = [],
  hasClassicScripts = false,
  importMapHash,
  styleHashes = [],
}: PageSources): string {
  const own = ["'self'", ...releaseOrigins];
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': [...own, `'${importMapHash}'`],
    'style-src': [...own, ...styleHashes.map((hash) => `'${hash}'`)],
    // Bundlers inline small images and fonts by default. As an image, also an SVG runs no scripts and loads nothing.
    'img-src': [...own, 'blob:', 'data:', ...imageOrigins],
    'font-src': [...own, 'data:'],
    'connect-src': [...own, ...socketOrigins],
    // The service worker, and the worker of PDFs, whose code is part of a verified script, see host/ui/src/documents/start-worker.ts.
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['pdf-worker', ...(hasClassicScripts ? ['default'] : [])],
    'report-to': [REPORTS],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(' ')}`)
    .join('; ');
}

export interface PageHeaders {
  policy: string;
  /** Whether the page loads scripts without known integrity, from a developer's server. */
  hasUnprovenScripts?: boolean;
}

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

/** Sends a page that is specific to one visitor: never cached, and never answered with 304. */
export function sendUncached(
  ctx: Context,
  status: number,
  page: string | Buffer,
  headers: PageHeaders,
): void {
  setPageHeaders(ctx, headers);
  ctx.set('Cache-Control', 'private, no-store');
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page;
}
