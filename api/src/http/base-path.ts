import type { Config } from '../config/config.ts';
import type { DeskMiddleware } from './desk-state.ts';

/** The path below which the desk is published, from PUBLIC_URL: '/desk', or '' for a host of its own. */
export function basePathOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/**
 * Removes the base path from requests, for proxies that pass it on, and adds it to addresses in responses: of redirects,
 * of the endpoint of browser reports, and in HTML bodies that are a string.
 */
export function belowBasePath(basePath: string): DeskMiddleware {
  return async (ctx, next) => {
    const rest = ctx.url.slice(basePath.length);
    if (ctx.url.startsWith(basePath) && /^([/?]|$)/.test(rest)) ctx.url = rest.replace(/^(?!\/)/, '/');
    await next();
    const { location = '', 'reporting-endpoints': reports = '' } = ctx.response.headers as Record<
      string,
      string
    >;
    if (location.startsWith('/')) ctx.set('Location', basePath + location);
    if (reports) ctx.set('Reporting-Endpoints', reports.replace('="/', `="${basePath}/`));
    if (typeof ctx.body === 'string' && ctx.response.is('html')) ctx.body = withBasePath(ctx.body, basePath);
  };
}

/** The HTML with `basePath` before the addresses of its links, forms and files that begin with a slash. */
export function withBasePath(html: string, basePath: string): string {
  return html.replace(/(?<=\s(?:href|src|action)=")\/(?!\/)/g, () => `${basePath}/`);
}
