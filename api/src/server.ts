import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { startBackgroundJobs } from './background-jobs.ts';
import type { Config } from './config/config.ts';
import { createLog } from './http/create-log.ts';
import { openMetricsServer } from './http/metrics-route.ts';
import { type HttpServer, openHttpServer } from './http/open-http-server.ts';
import { measureDesk } from './measure-desk.ts';
import type { Metrics } from './metrics/create-metrics.ts';
import { type DomainOptions, openDomains } from './open-domains.ts';
import { openStore } from './store/open-store.ts';
import { refuseUnfinishedTransfer } from './store/unfinished-transfer.ts';
import type { Tracing } from './tracing/open-tracing.ts';

interface StartOptions extends Pick<DomainOptions, 'openAnswers' | 'sweepsAtStart'> {
  config: Config;
  /** Folders of built workspaces (their `dist/`); these are published and made live unless operators chose otherwise. */
  builds?: readonly string[];
  /** Replaces the log on standard error. */
  log?: Logger;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** @throws Error if the store does not answer, DATA_DIR is in use or the port is occupied */
export async function startServer({ builds, ...options }: StartOptions) {
  const { config, log = createLog(config.logLevel) } = options;
  const tracing = await openTraces(config, log);
  const metrics = await openMetrics(config);
  const store = await openStore(config, log, metrics);
  await warnOfSharedFolder(config.dataDir, log);
  const drain = new AbortController();
  let early: HttpServer | null = null;
  try {
    // A first start takes long, and has no visitors. Any other one listens when it is ready: a proxy then sends requests elsewhere until it does.
    const isFirst = (await store.connection.listCollections()).length === 0;
    if (isFirst) early = await openHttpServer(config, drain.signal);
    await refuseUnfinishedTransfer(store.connection);
    const domains = await openDomains({ ...options, log, store, metrics });
    const { self, accounts, chat, compositions, files } = domains;
    await chat.recover(store.isAlone);
    await accounts.resume();
    const published = builds ? await compositions.publish(builds) : null;
    const app = createApp(domains, drain.signal);
    const server = early ?? (await openHttpServer(config, drain.signal));
    server.serve(app.callback());
    if (metrics) measureDesk(metrics, domains);
    const scraped = metrics && config.metricsPort ? await openMetricsServer(metrics, config) : null;
    const jobs = startBackgroundJobs(domains);
    const repairing = compositions.repair(builds ?? []).catch((err: unknown) => {
      log.warn({ err }, 'the files of the published builds could not be compared with the builds');
    });
    return {
      /** Public URL without a trailing slash. */
      url: config.publicUrl ?? server.url,
      /** Address at which the administrator of a new desk is created, without that of the server; null: there is one. */
      setupPath: await accounts.setup.openToken().then((token) => token && `/chatbot/setup#link=${token}`),
      /** Result of publishing `builds`; null without any. */
      published,
      /**
       * For `drainMs`, requests are still served while /readyz reports 503 and connections are not kept alive. Then stops
       * accepting connections, lets running answers end within a time limit, closes the store.
       */
      async close({ drainMs = 0 } = {}): Promise<void> {
        drain.abort();
        if (drainMs > 0) await wait(drainMs);
        await server.close(async () => {
          await Promise.all([jobs.stop(), repairing]);
          await files.extractor.close();
        });
        await files.close();
        await scraped?.close();
        self.end();
        await store.close();
        await tracing?.close();
      },
    };
  } catch (cause) {
    await early?.close(() => Promise.resolve());
    await store.close();
    await tracing?.close();
    throw cause;
  }
}

/** Loaded on demand: null unless METRICS_PORT or METRICS_TOKEN is set. */
async function openMetrics({ metricsPort, metricsToken }: Config): Promise<Metrics | null> {
  if (metricsPort === null && metricsToken === null) return null;
  const { createMetrics } = await import('./metrics/create-metrics.ts');
  return createMetrics();
}

/** Loaded on demand: null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
async function openTraces(config: Config, log: Logger): Promise<Tracing | null> {
  if (config.otlpEndpoint === null) return null;
  const { openTracing } = await import('./tracing/open-tracing.ts');
  return openTracing(config, log);
}

/** Warns if other users of this machine can enter DATA_DIR: they could see file names and the place of the ops token. */
async function warnOfSharedFolder(dataDir: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const mode = (await stat(dataDir).catch(() => undefined))?.mode ?? 0;
  if (mode & 0o077)
    log.warn(
      { dataDir, mode: (mode & 0o777).toString(8) },
      'DATA_DIR is accessible to other users of this machine; restrict it with chmod 700',
    );
}
