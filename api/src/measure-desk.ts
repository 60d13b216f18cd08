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
  const gauge = (name: string, help: string, value: number | null): Figure => ({
    name,
    help,
    values: value === null ? [] : [{ value }],
  });
  metrics.figures(async () => {
    const isUp = await ping().then(
      () => 1,
      () => 0,
    );
    const environment = [{ value: 1, labels: { environment: config.environment } }];
    return [
      { name: 'desk_info', help: 'The environment that this process serves.', values: environment },
      gauge('desk_store_up', '1 if the store answers.', isUp),
      gauge(
        'desk_clock_difference_seconds',
        'How far the clock of this machine is from that of the database.',
        clock.difference() / 1000,
      ),
    ];
  });
  metrics.figures(async () => {
    const { open, medianMinutes } = await handover.figures();
    return [
      gauge('desk_handovers_open', 'Requests for a person that are open.', open),
      gauge('desk_handover_response_minutes', 'Median time until a person answered.', medianMinutes),
    ];
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
      gauge('desk_passages', 'Passages that can be found.', passages),
      {
        name: 'desk_documents',
        help: 'Documents that are not indexed yet, or cannot be.',
        values: [
          { value: indexing, labels: { status: 'indexing' } },
          { value: failed, labels: { status: 'failed' } },
        ],
      },
      gauge(
        'desk_passages_without_vector',
        'Passages that are found by their words alone so far.',
        withoutVector,
      ),
    ];
  });
  metrics.figures(async () => {
    const { waitingSince } = (await auditStream?.read()) ?? {};
    const waitsMs = waitingSince ? Math.max(0, clock.now() - Date.parse(waitingSince)) : 0;
    return [
      gauge(
        'desk_audit_unsent_seconds',
        'Age of the oldest entry of the audit log that AUDIT_WEBHOOK_URL has not accepted.',
        auditStream && waitsMs / 1000,
      ),
    ];
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
        help: 'Background jobs by kind and state; dead ones have failed too often.',
        values: [...counts.values()].map(({ kind, state, count }) => ({
          value: count,
          labels: { kind, state },
        })),
      },
      {
        name: 'desk_job_overdue_seconds',
        help: 'Time since the oldest waiting job of a kind was first due, also if it has failed since.',
        values: [...ages].map(([kind, value]) => ({ value, labels: { kind } })),
      },
      {
        name: 'desk_index_lag_seconds',
        help: 'How long the oldest document has waited to be found, and the oldest passage for its vector.',
        values: [...lags].map(([of, value]) => ({ value, labels: { of } })),
      },
    ];
  });
}
