import type { Middleware } from 'koa';
import { invalidRequest } from '../errors/errors.ts';
import type { DeskState } from './desk-state.ts';

/** Refuses paths that cannot be decoded, before a router uses them. */
export function wellFormedUrl(): Middleware<DeskState> {
  return (ctx, next) => {
    try {
      if (decodeURIComponent(ctx.path).includes('\0')) throw new URIError('NUL in a path');
    } catch {
      throw invalidRequest('url', 'invalid_url');
    }
    return next();
  };
}
