import {
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export { type Span, SpanKind };

/**
 * The tracer of all spans; it records nothing unless `openTracing` was called. Names and attributes of spans come only from the
 * code and the configuration: routes, names of collections and models, counts and states. Of errors only the state is recorded,
 * because their messages may contain what a visitor typed. The tracer is looked up at each use: the SDK may register itself in
 * another copy of the package, and an earlier tracer would not use it.
 */
export const tracer = () => trace.getTracer('consultation-desk');

/** Runs `work` in a span of the current trace. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (cause) {
      markFailed(span);
      throw cause;
    } finally {
      span.end();
    }
  });
}

/** The same for a generator: every step runs in the span, which ends with it. */
export async function* generateInSpan<T>(
  name: string,
  options: SpanOptions,
  generate: (span: Span) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const span = tracer().startSpan(name, options);
  const inside = trace.setSpan(context.active(), span);
  const generator = generate(span);
  try {
    for (;;) {
      const step = await context.with(inside, () => generator.next());
      if (step.done) return;
      yield step.value;
    }
  } catch (cause) {
    markFailed(span);
    throw cause;
  } finally {
    await context.with(inside, () => generator.return());
    span.end();
  }
}

export function markFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The headers by which another server continues the current trace: `traceparent`. */
export function traceHeaders(): Record<string, string> {
  const headers = {};
  propagation.inject(context.active(), headers);
  return headers;
}
