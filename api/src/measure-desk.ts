import type { Figure, Metrics } from './metrics/create-metrics.ts';
import type { Domains } from './open-domains.ts';

/** Maximum number of jobs read at a scrape. */
const MAX_JOBS = 10_000;

/** Jobs that index passages, by the kind of their sources. */
const INDEX_JOBS = new Map([
  ['index document', 'documents'],
  ['passage vectors', 'vectors'],
]);

/** Figures of the whole desk that are read with every scrape. */
export function measureDesk(metrics: Metrics, domains: Domains): void {
  const { config, clock, ping, jobDocuments, answers, knowledge, handover, auditStream } = domains;
  const gauge = (name: Figure['name'], value: number | null): Figure => ({
    name,
    values: value === null ? [] : [{ value }],
  });
  metrics.figures(async () => {
    const isUp = await ping().then(
      () => 1,
      () => 0,
    );
    const environment = [{ value: 1, labels: { environment: config.environment } }];
    return [
      { name: 'desk_info', values: environment },
      gauge('desk_store_up', isUp),
      gauge('desk_clock_difference_seconds', clock.difference() / 1000),
    ];
  });
  metrics.figures(async () => {
    const { open, medianMinutes } = await handover.figures();
    return [gauge('desk_handovers_open', open), gauge('desk_handover_response_minutes', medianMinutes)];
  });
  metrics.figures(async () => {
    const { findable } = answers.models;
    const [passages, indexing, failed, withoutVector] = await Promise.all([
      findable.estimatedDocumentCount(),
      knowledge.indexing.count('indexing'),
      knowledge.indexing.count('failed'),
      findable.countDocuments({ vectorDue: true }),
    ]);
    return [
      gauge('desk_passages', passages),
      {
        name: 'desk_documents',
        values: [
          { value: indexing, labels: { status: 'indexing' } },
          { value: failed, labels: { status: 'failed' } },
        ],
      },
      gauge('desk_passages_without_vector', withoutVector),
    ];
  });
  metrics.figures(async () => {
    const { waitingSince } = (await auditStream?.read()) ?? {};
    const waitsMs = waitingSince ? Math.max(0, clock.now() - Date.parse(waitingSince)) : 0;
    return [gauge('desk_audit_unsent_seconds', auditStream && waitsMs / 1000)];
  });
  metrics.figures(async () => {
    const found = await jobDocuments
      .find({}, { kind: 1, dueAt: 1, lease: 1, order: 1 })
      .limit(MAX_JOBS)
      .lean();
    const now = clock.now();
    const counts = new Map<string, { kind: string; state: string; count: number }>();
    const ages = new Map<string, number>();
    const lags = new Map(Array.from(INDEX_JOBS.values(), (of) => [of, 0]));
    for (const { kind, dueAt, lease, order } of found) {
      const state = dueAt === null ? 'dead' : lease ? 'running' : 'waiting';
      const entry = counts.get(`${kind} ${state}`) ?? { kind, state, count: 0 };
      counts.set(`${kind} ${state}`, { ...entry, count: entry.count + 1 });
      const age = Math.max(0, now - order.getTime()) / 1000;
      ages.set(kind, Math.max(ages.get(kind) ?? 0, state === 'waiting' ? age : 0));
      const of = INDEX_JOBS.get(kind);
      if (of) lags.set(of, Math.max(lags.get(of)!, age));
    }
    return [
      {
        name: 'desk_jobs',
        values: [...counts.values()].map(({ kind, state, count }) => ({
          value: count,
          labels: { kind, state },
        })),
      },
      {
        name: 'desk_job_overdue_seconds',
        values: [...ages].map(([kind, value]) => ({ value, labels: { kind } })),
      },
      {
        name: 'desk_index_lag_seconds',
        values: [...lags].map(([of, value]) => ({ value, labels: { of } })),
      },
    ];
  });
}
