import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { languages } from '../contract/language.ts';
import { ApiError, errorBody, notFound } from '../errors/errors.ts';
import { isDiskFull, isOutage, isTooSlow } from '../store/store-failure.ts';
import type { DeskState } from './desk-state.ts';

/** Writes the uniform error body for any exception of later middleware, and 404 if no middleware answered. */
export function writeErrors(log: Logger): Middleware<DeskState> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body == null) throw notFound('page');
    } catch (cause) {
      const failure = toApiError(cause);
      if (failure.status >= 500) log.error({ requestId: ctx.state.requestId, err: cause }, failure.error);
      writeFailure(ctx, failure);
    }
  };
}

/** Errors that are no `ApiError` are reported as "internal" only. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (isTooSlow(cause)) return new ApiError('query_too_slow');
  if (isDiskFull(cause)) return new ApiError('disk_full');
  return isOutage(cause) ? new ApiError('unavailable') : new ApiError('internal');
}

function writeFailure(ctx: Context & { state: DeskState }, failure: ApiError): void {
  ctx.status = failure.status;
  ctx.type = 'json';
  if (failure.details.retryAfter !== undefined) ctx.set('Retry-After', String(failure.details.retryAfter));
  ctx.body = errorBody(failure, ctx.state.language ?? languages[0], ctx.state.requestId);
}
