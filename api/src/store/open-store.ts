import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trace } from '@opentelemetry/api';
import { makeFolder } from 'embedded-store/make-folder.ts';
import type { Connection, mongo } from 'mongoose';
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import { markFailed, type Span, SpanKind, tracer } from '../tracing/span.ts';
import { createDatabaseClock } from './database-clock.ts';
import { maxTimeMS } from './query-limit.ts';
import { isOutage } from './store-failure.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Time before an unresponsive store is reported as 503, in ms. */
export const serverSelectionTimeoutMS = 2000;

/**
 * Options for a MongoDB server, not used for the embedded store. They override the connection string.
 * - Writes are acknowledged when a majority has them in its journal: otherwise a killed standalone server
 * loses or changes them.
 * - The monitor detects a hanging server within about 5 s and then interrupts the calls that wait for it.
 */
const mongodbOptions = {
  writeConcern: new mongoose.mongo.WriteConcern('majority', 5000, true),
  heartbeatFrequencyMS: 2000,
  connectTimeoutMS: 3000,
};
/** A heartbeat fails after 5 s at the latest, the sum of both times above. */
const hangingMonitorMs = 6000;

/**
 * Opens the store named in `config`: MongoDB, or the embedded one in its DATA_DIR. Both are used in strict
 * Stable API mode, so that nothing is sent that MongoDB 5.0 or later would refuse.
 * @throws Error if the server does not answer, the DATA_DIR is not writable, or another process uses it.
 */
export async function openStore(
  config: Pick<Config, 'mongodbUri' | 'dataDir'> & Partial<Pick<Config, 'otlpEndpoint'>>,
  log?: Pick<Logger, 'warn'>,
  metrics: Pick<Metrics, 'command'> | null = null,
) {
  const embedded = config.mongodbUri === null ? await openEmbedded(config.dataDir) : null;
  const uri = embedded?.uri ?? config.mongodbUri ?? '';
  const connection = mongoose.createConnection();
  const isTraced = typeof config.otlpEndpoint === 'string';
  const close = async () => {
    await connection.close();
    await embedded?.close();
  };
  try {
    await connection.openUri(uri, {
      serverApi: { version: '1', strict: true, deprecationErrors: true },
      serverSelectionTimeoutMS,
      waitQueueTimeoutMS: 5000,
      bufferCommands: false,
      autoIndex: false,
      autoCreate: false,
      ...(metrics || isTraced ? { monitorCommands: true } : {}),
      ...(embedded ? {} : mongodbOptions),
    });
    if (!embedded) restartHangingMonitors(connection.getClient(), hangingMonitorMs);
    if (metrics) measureCommands(connection, metrics);
    if (isTraced) traceCommands(connection);
    connection.set('maxTimeMS', maxTimeMS);
    const clock = await createDatabaseClock(connection, log);
    return {
      connection,
      /** Whether no other process can be using the same data. */
      isAlone: embedded !== null,
      clock,
      /** Resolves if the store answers; otherwise rejects within about a second. */
      ping: () => ping(connection),
      close,
    };
  } catch (cause) {
    await close().catch(() => undefined);
    if (embedded || !isOutage(cause)) throw cause;
    throw new Error(`MONGODB_URI must name a server that answers: ${(cause as Error).message}`, { cause });
  }
}

function measureCommands(connection: Connection, metrics: Pick<Metrics, 'command'>): void {
  const client = connection.getClient();
  client.on('commandSucceeded', ({ commandName, duration }) => metrics.command(commandName, 'ok', duration));
  client.on('commandFailed', ({ commandName, duration }) => metrics.command(commandName, 'failed', duration));
}

/** Loaded on demand: with MongoDB it is not needed. */
async function openEmbedded(dataDir: string): Promise<{ uri: string; close(): Promise<void> }> {
  await tryFolder(dataDir);
  const { openEmbeddedStore } = await import('embedded-store/open-embedded-store.ts');
  return openEmbeddedStore({ dataDir });
}

/** @throws Error why `dataDir` is not writable: the store would only report that it cannot open files. */
async function tryFolder(dataDir: string): Promise<void> {
  const trial = join(dataDir, `trial-${randomUUID()}`);
  try {
    await makeFolder(dataDir);
    await writeFile(trial, Buffer.alloc(4096));
  } catch (cause) {
    // The reason without the path of the trial file.
    const [reason = ''] = (cause as Error).message.split(',', 1);
    throw new Error(`DATA_DIR must be a folder that can be written to, got "${dataDir}": ${reason}`, {
      cause,
    });
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

async function ping(connection: Connection): Promise<void> {
  if (!connection.db) throw new Error('the store is not connected');
  await connection.db.command({ ping: 1 }, { timeoutMS: 1000 });
}

/** The parts of the driver's client that are not in its types. */
interface Internals {
  topology?: { s: { servers: Map<string, { monitor: { close(): void; connect(): void } | null }> } };
}

/**
 * Restarts a monitor of the driver that does not finish its heartbeat in time.
 *
 * In mongodb 7.8 a heartbeat that writes to a socket which was destroyed a moment before waits for its 'drain' event forever
 * (`Connection.writeCommand`), and the client never finds that server again.
 * @param hangingAfterMs longer than any heartbeat takes to succeed or fail
 */
function restartHangingMonitors(client: mongo.MongoClient, hangingAfterMs: number): void {
  const timers = new Map<string, NodeJS.Timeout>();
  const stop = ({ connectionId }: { connectionId: string }) => clearTimeout(timers.get(connectionId));
  client.on('serverHeartbeatStarted', (event) => {
    stop(event);
    const restart = () => {
      const monitor = (client as Internals).topology?.s.servers.get(event.connectionId)?.monitor;
      monitor?.close();
      monitor?.connect();
    };
    timers.set(event.connectionId, setTimeout(restart, hangingAfterMs).unref());
  });
  client.on('serverHeartbeatSucceeded', stop);
  client.on('serverHeartbeatFailed', stop);
  client.on('topologyClosed', () => {
    for (const timer of timers.values()) clearTimeout(timer);
  });
}

/** A span for every command that is sent within a trace. */
function traceCommands(connection: Connection): void {
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
    const name = `${commandName} ${collection}`.trim();
    spans.set(keyOf(event), tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes }));
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
