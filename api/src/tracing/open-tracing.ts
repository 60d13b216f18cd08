import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

export type Tracing = ReturnType<typeof openTracing>;

/**
 * Sends the spans of this process to `<endpoint>/v1/traces` as OTLP over HTTP with JSON, in batches. The environment variables
 * of the OpenTelemetry specification apply, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER and OTEL_SERVICE_NAME.
 */
export function openTracing(
  { otlpEndpoint, environment }: Pick<Config, 'otlpEndpoint' | 'environment'>,
  log: Pick<Logger, 'warn'>,
) {
  const warn = (message: string) => log.warn({ reason: message.slice(0, 500) }, 'spans were not exported');
  diag.setLogger(
    { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} },
    DiagLogLevel.WARN,
  );
  const own = { 'service.name': 'consultation-desk', 'deployment.environment.name': environment };
  const resource = resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }));
  const exporter = new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces` });
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  provider.register();
  return {
    /** Sends what is left. Never rejects. */
    async close(): Promise<void> {
      await provider.shutdown().catch((cause: Error) => warn(cause.message));
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}
