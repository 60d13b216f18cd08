import { trace } from '@opentelemetry/api';
import type { Connection } from 'mongoose';
import { markFailed, type Span, SpanKind, tracer } from '../tracing/span.ts';

/** A span for every command that is sent within a trace. */
export function traceCommands(connection: Connection): void {
  const client = connection.getClient();
  const spans = new Map<string, Span>();
  const keyOf = ({ address, requestId }: { address: string; requestId: number }) => `${address} ${requestId}`;
  client.on('commandStarted', (event) => {
    if (!trace.getActiveSpan()) return;
    const { commandName, command } = event;
    const named = command.collection ?? command[commandName];
    const collection = typeof named === 'string' ? named : '';
    const attributes = {
      'db.system.name': 'mongodb',
      'db.operation.name': commandName,
      ...(collection ? { 'db.collection.name': collection } : {}),
    };
    spans.set(
      keyOf(event),
      tracer.startSpan(`${commandName} ${collection}`.trim(), { kind: SpanKind.CLIENT, attributes }),
    );
  });
  const end = (event: { address: string; requestId: number }, hasFailed: boolean) => {
    const span = spans.get(keyOf(event));
    if (!span) return;
    spans.delete(keyOf(event));
    if (hasFailed) markFailed(span);
    span.end();
  };
  client.on('commandSucceeded', (event) => end(event, false));
  client.on('commandFailed', (event) => end(event, true));
}
