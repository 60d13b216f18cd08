import { LRUCache } from 'lru-cache';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import help from './help.json' with { type: 'json' };

/** Methods with a label of their own; clients may send any. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Compositions whose pages have series of their own: those that reported last. */
const MAX_COMPOSITIONS = 10;
/** Upper limits of good and of acceptable values (https://web.dev/articles/vitals); LCP and INP in ms. */
const VITAL_LIMITS = { LCP: [2500, 4000], INP: [200, 500], CLS: [0.1, 0.25] } as const;

const ofRelease = ['composition', 'remote', 'version'] as const;
type ReleaseLabels = Record<(typeof ofRelease)[number], string>;

const REQUEST_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];
const ANSWER_SECONDS = [0.03, 0.1, 0.3, 1, 3, 10, 30, 100];
const COMMAND_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 10];

/** help.json describes all metrics. */
type MetricName = keyof typeof help;

export type Metrics = ReturnType<typeof createMetrics>;

export interface PageEvent {
  remote: string;
  version: string;
  kind: 'load' | 'failure' | 'error' | 'vital';
  name?: keyof typeof VITAL_LIMITS;
  value?: number;
}

/** A figure of the whole desk, equal in all processes. Every value has the same labels. */
export interface Figure {
  name: MetricName;
  values: { value: number; labels?: Record<string, string> }[];
}

/**
 * The metrics of this process in the format of Prometheus. Labels have few values: patterns of routes, names of models and
 * commands, and releases of the compositions that reported last. Text that a visitor typed is never a label.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: MetricName, labelNames: readonly Label[] = []) =>
    new Counter({ name, help: help[name], labelNames, registers });
  const histogram = <Label extends string>(
    name: MetricName,
    buckets: number[],
    labelNames: readonly Label[],
  ) => new Histogram({ name, help: help[name], buckets, labelNames, registers });

  const requests = counter('desk_http_requests_total', ['method', 'route', 'status']);
  const requestSeconds = histogram('desk_http_request_seconds', REQUEST_SECONDS, ['route']);
  const uploadBytes = counter('desk_upload_bytes_total');
  const streams = new Gauge({ name: 'desk_event_streams', help: help.desk_event_streams, registers });
  const answers = counter('desk_answers_total', ['source', 'model', 'status']);
  const firstTokenSeconds = histogram('desk_answer_first_token_seconds', ANSWER_SECONDS, ['model']);
  const answerSeconds = histogram('desk_answer_seconds', ANSWER_SECONDS, ['model']);
  const tokens = counter('desk_model_tokens_total', ['model']);
  const commandSeconds = histogram('desk_store_command_seconds', COMMAND_SECONDS, ['command', 'result']);
  const pages = {
    load: counter('desk_page_loads_total', ofRelease),
    failure: counter('desk_page_failures_total', ofRelease),
    error: counter('desk_page_errors_total', ofRelease),
  };
  const vitals = counter('desk_page_vitals_total', [...ofRelease, 'name', 'rating']);
  const readers: (() => Promise<Figure[]>)[] = [];
  /** Label sets in use by composition; those of the one whose pages have not reported for longest are forgotten. */
  const reported = new LRUCache<string, Map<string, ReleaseLabels>>({
    max: MAX_COMPOSITIONS,
    dispose: (sets) => sets.forEach(removeSeries),
  });

  function labelsOf(composition: string, { remote, version }: PageEvent): ReleaseLabels {
    const labels = { composition: composition.slice(0, 12), remote, version };
    const sets = reported.get(composition) ?? new Map<string, ReleaseLabels>();
    reported.set(composition, sets.set(`${remote}@${version}`, labels));
    return labels;
  }

  function removeSeries(labels: ReleaseLabels): void {
    for (const one of Object.values(pages)) one.remove(labels);
    for (const name of Object.keys(VITAL_LIMITS))
      for (const rating of ['good', 'acceptable', 'poor']) vitals.remove({ ...labels, name, rating });
  }

  return {
    /** `route` is a pattern, never a path. `bytes` is the size of a request with files. */
    request(seen: {
      method: string;
      route: string;
      status: number;
      seconds: number;
      isStream: boolean;
      bytes: number;
    }): void {
      const { method, route, status, seconds, isStream, bytes } = seen;
      requests.inc({ method: METHODS.includes(method) ? method : 'other', route, status: String(status) });
      if (isStream) streams.dec();
      else requestSeconds.observe({ route }, seconds);
      uploadBytes.inc(bytes);
    },
    streamBegan(): void {
      streams.inc();
    },
    /** `firstMs` is null if it ended without any text. */
    answer(
      { source, model, status }: { source: string; model: string; status: string },
      times: { ms: number; firstMs: number | null },
    ): void {
      answers.inc({ source, model, status });
      if (times.firstMs !== null) firstTokenSeconds.observe({ model }, times.firstMs / 1000);
      answerSeconds.observe({ model }, times.ms / 1000);
    },
    tokens(count: number, model: string): void {
      tokens.inc({ model }, count);
    },
    command(command: string, result: 'ok' | 'failed', ms: number): void {
      commandSeconds.observe({ command, result }, ms / 1000);
    },
    /** An event that a page of a known composition and release has reported. */
    page(composition: string, event: PageEvent): void {
      const labels = labelsOf(composition, event);
      if (event.kind !== 'vital') pages[event.kind].inc(labels);
      else if (event.name !== undefined && event.value !== undefined) {
        const [good, acceptable] = VITAL_LIMITS[event.name];
        const rating = event.value <= good ? 'good' : event.value <= acceptable ? 'acceptable' : 'poor';
        vitals.inc({ ...labels, name: event.name, rating });
      }
    },
    /** Figures that `read` reads at every scrape; they are left out while it fails. */
    figures(read: () => Promise<Figure[]>): void {
      readers.push(read);
    },
    contentType: registry.contentType,
    async scrape(): Promise<string> {
      const figures = await Promise.all(readers.map((read) => read().catch(() => [])));
      return (await registry.metrics()) + (await printFigures(figures.flat()));
    },
  };
}

function printFigures(figures: readonly Figure[]): Promise<string> {
  const registry = new Registry();
  for (const { name, values } of figures) {
    const labelNames = Object.keys(values[0]?.labels ?? {});
    const gauge = new Gauge({ name, help: help[name], labelNames, registers: [registry] });
    // Without a value it would be 0.
    if (values.length === 0) gauge.remove();
    for (const { value, labels = {} } of values) gauge.set(labels, value);
  }
  return registry.metrics();
}
