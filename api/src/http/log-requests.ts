import { context, propagation, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/create-metrics.ts';
import { markFailed, SpanKind, tracer } from '../tracing/span.ts';
import type { DeskMiddleware, DeskState } from './desk-state.ts';

/**
 * Logs one line per request: method, route, status and duration. Query, headers, bodies and values in the path are
 * never logged, so that no text, contact, name, password or token gets into the log. Measures the same.
 */
export function logRequests(
  log: Logger,
  metrics: Pick<Metrics, 'request' | 'streamBegan'> | null,
): Middleware<DeskState> {
  return async (ctx, next) => {
    const start = performance.now();
    let isStream = false;
    const traceId = trace.getActiveSpan()?.spanContext().traceId;
    ctx.res.once('close', () => {
      const ms = performance.now() - start;
      const level = ctx.path === '/healthz' || ctx.path === '/readyz' ? 'debug' : 'info';
      log[level](
        {
          requestId: ctx.state.requestId,
          ...(traceId ? { traceId } : {}),
          method: ctx.method,
          path: routeOf(ctx),
          status: ctx.status,
          ms: Math.round(ms),
          who: ctx.state.owner?.split(':', 1)[0],
          ...(ctx.res.writableFinished ? {} : { left: true }),
        },
        'request',
      );
      metrics?.request({
        method: ctx.method,
        route: kindOfRoute(ctx),
        status: ctx.status,
        seconds: ms / 1000,
        isStream,
        bytes: ctx.is('multipart') ? (ctx.request.length ?? 0) : 0,
      });
    });
    await next();
    isStream = ctx.type === 'text/event-stream' && !ctx.res.closed;
    if (isStream) metrics?.streamBegan();
  };
}

/** Like `routeOf`, with one name for all screens and one for all files of releases. */
export function kindOfRoute(ctx: Context & { state: Partial<DeskState> }): string {
  const route = routeOf(ctx);
  if (route === ctx._matchedRoute || route.endsWith('…')) return route;
  return ctx.state.isScreen ? 'screen' : route === '/' ? '/' : 'release file';
}

/**
 * The pattern of the route, such as `/api/records/:id`. Of the other paths, which may contain anything that
 * somebody typed, only those of screens and of files of releases are complete.
 */
function routeOf(ctx: Context & { state: Partial<DeskState> }): string {
  const route: unknown = ctx._matchedRoute;
  if (typeof route === 'string') return route;
  const isReleaseFile = ctx.path.startsWith('/chatbot/releases/') && ctx.status < 400;
  if (ctx.state.isScreen || isReleaseFile) return ctx.path.slice(0, 200);
  return /^\/((api|admin|ops|chatbot)(\/|$))?/.exec(ctx.path)![0] + (ctx.path.length > 1 ? '…' : '');
}

/** A span for every request except probes, in the trace of its `traceparent`. */
export function traceRequests(): DeskMiddleware {
  return (ctx, next) => {
    if (ctx.path === '/healthz' || ctx.path === '/readyz' || ctx.path === '/metrics') return next();
    const parent = propagation.extract(ROOT_CONTEXT, ctx.headers);
    const span = tracer().startSpan(ctx.method, { kind: SpanKind.SERVER }, parent);
    ctx.res.once('close', () => {
      const route = kindOfRoute(ctx);
      span.updateName(`${ctx.method} ${route}`);
      span.setAttributes({
        'http.request.method': ctx.method,
        'http.route': route,
        'http.response.status_code': ctx.status,
      });
      if (ctx.status >= 500) markFailed(span);
      span.end();
    });
    return context.with(trace.setSpan(parent, span), async () => {
      await next();
      const { traceId, spanId, traceFlags } = span.spanContext();
      // The page reports how it loaded, see host/src/reports/read-page-trace.ts.
      if (ctx.state.isScreen && traceFlags === TraceFlags.SAMPLED)
        ctx.set('Server-Timing', `traceparent;desc="00-${traceId}-${spanId}-01"`);
    });
  };
}
