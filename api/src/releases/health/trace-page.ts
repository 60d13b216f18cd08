import { propagation, ROOT_CONTEXT } from '@opentelemetry/api';
import type { PageTrace } from '../../contract/reports.ts';
import { tracer } from '../../tracing/span.ts';

/** Turns what a page has measured into spans of the trace of its request. Times are by this machine's clock, as those of other spans. */
export function tracePage({ parent, age, spans }: PageTrace, composition: string): void {
  const navigationAt = Date.now() - age;
  const request = propagation.extract(ROOT_CONTEXT, { traceparent: parent });
  for (const { remote, version, what, at, ms } of spans) {
    const startTime = navigationAt + at;
    const attributes = { 'desk.remote': remote, 'desk.version': version, 'desk.composition': composition };
    tracer.startSpan(`${what} ${remote}`, { startTime, attributes }, request).end(startTime + ms);
  }
}
