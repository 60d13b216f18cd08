import { context, propagation, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { markFailed, SpanKind, tracer } from '../tracing/span.ts';
import type { DeskMiddleware } from './desk-state.ts';
import { kindOfRoute } from './log-requests.ts';

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
