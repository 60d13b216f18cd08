import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { Changes } from '../changes.ts';
import type { DatabaseClock } from '../database-clock.ts';
import { defineModel, onlyWith } from '../define-model.ts';
import { type DocumentOf, field, nullable, optional, required, withDefault } from '../fields.ts';
import { isDead, leaseMs, leaseSchema, newLease, type ThisProcess } from '../process-lease.ts';
import { isDuplicateKey, isOutage, unlessDuplicate } from '../store-failure.ts';
import { within } from '../within.ts';

/** Maximum interval between searches for due jobs, in ms, in case a clock changes. */
const maxSleepMs = 60_000;
/** Interval of attempts while the jobs cannot be read, in ms. */
const retryEveryMs = 5000;
/** Interval of renewing the lease of a running job, in ms. */
const heartbeatMs = leaseMs / 3;
/** Intervals of checks whether another process has done a job, in ms. */
const firstCheckMs = 50;
const maxCheckMs = 1000;
/** Jobs per read. */
const slice = 50;
const maxFailureLength = 500;
const maxDead = 200;
/** Maximum wait after a failure, in ms. */
const maxBackoffMs = 300_000;
/** `dueAt` of jobs that are not dead letters. */
const alive = { $gt: new Date(0) };

export type Job<Data = unknown> = Pick<JobDocument, 'key' | 'queue' | 'attempts'> & { data: Data };

export interface JobKind<Data = unknown> {
  /** A process runs only jobs of kinds that are defined in it. */
  kind: string;
  /**
   * Must be repeatable: it may be interrupted at any point, and then runs again. `signal` aborts when the process stops
   * or another one has taken over. Returns the number of ms after which to run again, if it has to.
   */
  run(job: Job<Data>, signal: AbortSignal): Promise<unknown>;
  /** Makes it periodic: it runs at each start, and this long after each end, in one of all processes. In ms. */
  everyMs?: number;
  /** Queue of the periodic job. */
  queue?: string;
  /** Number of jobs of this kind that one process runs at the same time. Default 1. */
  concurrency?: number;
  /** Number of failures in a row that make a job a dead letter. Default 10; a periodic job never is one. */
  maxAttempts?: number;
  /** Wait after the first failure in ms, doubled after each further one up to 5 min. Default 1 s. */
  backoffMs?: number;
}

export type Jobs = ReturnType<typeof createJobs>;

/**
 * Runs jobs that are stored in the database: each in one process at a time, again if that process dies, and after growing
 * pauses if it fails. Jobs of one queue run one after the other. Kind and key identify a job: adding it again while
 * it waits has no effect, while it runs it will run once more.
 */
export function createJobs(deps: {
  model: JobModel;
  self: ThisProcess;
  clock: Pick<DatabaseClock, 'now' | 'measure'>;
  /** Whether no other process uses the database. */
  isAlone: boolean;
  /** Whether all periodic jobs are due at the start. Default true; otherwise when they were due before. */
  sweepsAtStart?: boolean;
  /** Reports jobs that other processes have added or ended. */
  changes: Pick<Changes, 'follow'>;
  log: Pick<Logger, 'warn' | 'error'>;
}) {
  const { model, self, clock, isAlone, sweepsAtStart = true, changes, log } = deps;
  const kinds = new Map<string, JobKind>();
  /** Jobs that this process runs, by id. */
  const running = new Map<string, { kind: string; queue: string | null; ended: Promise<void> }>();
  const stopping = new AbortController();
  let isStarted = false;
  let isPrepared = false;
  let looking: Promise<void> | null = null;
  let isWoken = false;
  let wakesAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let lastOrder = 0;

  const at = (ms: number) => new Date(clock.now() + ms);

  /** Jobs that this process adds to a queue keep their order. */
  function nextOrder(): Date {
    lastOrder = Math.max(clock.now(), lastOrder + 1);
    return new Date(lastOrder);
  }

  /** Looks for jobs now. */
  function wake(): void {
    isWoken = true;
    if (!isStarted || stopping.signal.aborted) return;
    looking ??= look().finally(() => {
      looking = null;
    });
  }

  function wakeAt(date: Date): void {
    if (stopping.signal.aborted || date.getTime() >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = date.getTime();
    timer = setTimeout(wake, Math.max(wakesAt - clock.now(), 1)).unref();
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    wakesAt = Number.POSITIVE_INFINITY;
    try {
      while (isWoken && !stopping.signal.aborted) {
        isWoken = false;
        await clock.measure();
        if (!isPrepared) await prepare();
        isPrepared = true;
        const next = await startDue();
        if (next) wakeAt(next);
      }
    } catch (err) {
      log.warn({ err }, 'jobs cannot be read and will be tried again');
      wakeAt(at(retryEveryMs));
    }
    wakeAt(at(maxSleepMs));
  }

  /** Starts all jobs that are due and may run. Returns when the next one is due. */
  async function startDue(): Promise<Date | null> {
    const blocked = busyQueues();
    for (;;) {
      const startable = { dueAt: alive, kind: { $in: freeKinds() }, queue: { $nin: blocked } };
      const found = await model.find(startable).sort({ dueAt: 1 }).limit(slice).lean();
      const now = at(0);
      for (const job of found) {
        if (job.dueAt! > now) return job.dueAt;
        if (!(await tryStart(job)) && job.queue !== null) blocked.push(job.queue);
      }
      if (found.length < slice) return null;
    }
  }

  function freeKinds(): string[] {
    const busy = Map.groupBy(running.values(), ({ kind }) => kind);
    return [...kinds.values()]
      .filter(({ kind, concurrency = 1 }) => (busy.get(kind)?.length ?? 0) < concurrency)
      .map(({ kind }) => kind);
  }

  /** Queues of which this process runs a job. */
  function busyQueues(): string[] {
    return Array.from(running.values(), ({ queue }) => queue).filter((queue) => queue !== null);
  }

  async function tryStart({ _id, kind, queue, order, dueAt }: JobDocument): Promise<boolean> {
    if (stopping.signal.aborted || running.has(_id) || !freeKinds().includes(kind)) return false;
    if (queue !== null && busyQueues().includes(queue)) return false;
    if (queue !== null && (await model.exists({ queue, order: { $lt: order }, dueAt: alive }))) return false;
    const lease = newLease(self);
    const claim = { lease, dueAt: lease.until, ...(queue === null ? {} : { running: queue }) };
    try {
      const job = await model
        .findOneAndUpdate({ _id, dueAt }, { $set: claim, $inc: { attempts: 1 } }, { returnDocument: 'after' })
        .lean();
      if (!job) return false;
      const ended = execute(job, kinds.get(kind)!)
        .catch((err: unknown) => log.warn({ job: _id, err }, 'the end of a job could not be stored'))
        .finally(() => {
          running.delete(_id);
          wake();
        });
      running.set(_id, { kind, queue, ended });
      return true;
    } catch (cause) {
      // Another process runs a job of this queue.
      if (isDuplicateKey(cause)) return false;
      throw cause;
    }
  }

  async function execute(job: JobDocument, kind: JobKind): Promise<void> {
    const { _id, requests } = job;
    const mine = { _id, 'lease.process': self.process } as Record<string, unknown>;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const timer = setInterval(() => {
      const { until } = newLease(self);
      model.updateOne(mine, { $set: { dueAt: until, 'lease.until': until } }).then(
        ({ matchedCount }) => matchedCount === 0 && lost.abort(),
        // Another process will take over when the lease ends.
        () => undefined,
      );
    }, heartbeatMs).unref();
    try {
      const again = await kind.run(job, signal);
      const ms = typeof again === 'number' ? again : kind.everyMs;
      const asSeen = { ...mine, requests };
      const ended =
        ms === undefined
          ? (await model.deleteOne(asSeen)).deletedCount
          : (await model.updateOne(asSeen, released(at(ms), { order: at(ms) }))).matchedCount;
      // It was requested again meanwhile.
      if (ended === 0) await model.updateOne(mine, released(at(0), { order: nextOrder() }));
    } catch (cause) {
      const uncounted = { attempts: job.attempts - 1 };
      const later = () =>
        isOutage(cause) ? released(at(kind.backoffMs ?? 1000), uncounted) : failed(job, kind, cause);
      await model.updateOne(mine, signal.aborted ? released(at(0), uncounted) : later());
    } finally {
      clearInterval(timer);
    }
  }

  /** Gives up the lease. */
  function released(dueAt: Date | null, change: Partial<JobDocument>) {
    const $set = { dueAt, lease: null, attempts: 0, failure: '', ...change };
    return { $set, $unset: { running: 1 as const } };
  }

  function failed({ _id, attempts }: JobDocument, kind: JobKind, cause: unknown) {
    const { everyMs, maxAttempts = 10, backoffMs = 1000 } = kind;
    const failure = String((cause as Error)?.message ?? cause).slice(0, maxFailureLength);
    if (everyMs === undefined && attempts >= maxAttempts) {
      log.error({ job: _id, attempts, err: cause }, 'a job has failed and must be run again by operators');
      return released(null, { attempts, failure });
    }
    const waitMs = Math.min(backoffMs * 2 ** (attempts - 1), maxBackoffMs, everyMs ?? maxBackoffMs);
    log.warn({ job: _id, attempts, waitMs, err: cause }, 'a job failed and will be repeated');
    // Other periodic jobs do not wait for this one.
    const order = everyMs === undefined ? {} : { order: at(waitMs) };
    return released(at(waitMs), { attempts, failure, ...order });
  }

  /** Jobs of processes that have ended are due at once, others when their leases end. Adds the periodic jobs. */
  async function prepare(): Promise<void> {
    for (const { _id, lease } of await model.find({ lease: { $ne: null } }, { lease: 1 }).lean()) {
      if (!(isAlone ? lease?.process !== self.process : isDead(lease, self))) continue;
      const held = { _id, 'lease.process': lease?.process } as Record<string, unknown>;
      await model.updateOne(held, { $set: { dueAt: at(0) } });
    }
    for (const { kind, everyMs, queue = null } of kinds.values())
      if (everyMs !== undefined) await (sweepsAtStart ? add : ensure)(kind, { queue });
  }

  /** Adds a job, due after `delayMs`. A job that waits becomes due at the earlier of both times, a dead letter is revived. */
  async function add(kind: string, { key = '', queue = null, data = null, delayMs = 0 }: NewJob = {}) {
    const _id = idOf(kind, key);
    const dueAt = at(delayMs);
    const order = delayMs === 0 ? nextOrder() : dueAt;
    const fresh = { queue, data, dueAt, order, attempts: 0, failure: '' };
    const again = { $set: { data, attempts: 0 }, $inc: { requests: 1 } };
    const sooner = { ...again, $min: { dueAt, order } };
    const waiting = { dueAt: alive, lease: null };
    const dead = { dueAt: null };
    const changes = [
      [waiting, sooner],
      [{ lease: { $ne: null } }, again],
      [dead, { $set: fresh }],
    ] as const;
    for (let isAdded = false; !isAdded; ) {
      isAdded = await unlessDuplicate(model.create({ _id, kind, key, lease: null, requests: 1, ...fresh }));
      for (const [state, change] of changes)
        isAdded ||=
          (await model.updateOne({ _id, ...state } as Record<string, unknown>, change)).matchedCount === 1;
    }
    wakeAt(at(delayMs));
    if (delayMs === 0) wake();
  }

  /** Adds a job unless there is one already, waiting, running or failed. Only reads then. */
  async function ensure(kind: string, job: NewJob = {}): Promise<void> {
    if (!(await model.exists({ _id: idOf(kind, job.key ?? '') }))) await add(kind, job);
  }

  async function lookAgain(): Promise<void> {
    wake();
    await looking;
  }
  if (!isAlone) changes.follow(model.collection.name, lookAgain, { match: otherThanHeartbeats });

  return {
    /** To be called before `start`. */
    define<Data>(kind: JobKind<Data>): void {
      kinds.set(kind.kind, kind as JobKind);
    },

    add,

    ensure,

    /** Waits until any process has done the job. Returns false if it is a dead letter, after `withinMs`, and when this process stops. */
    async whenDone(kind: string, key: string, withinMs: number): Promise<boolean> {
      const _id = idOf(kind, key);
      const never = new Promise(() => undefined);
      const end = performance.now() + withinMs;
      for (let pauseMs = firstCheckMs; ; pauseMs = Math.min(2 * pauseMs, maxCheckMs)) {
        const job = await model.findById(_id, { dueAt: 1 }).lean();
        const leftMs = end - performance.now();
        if (!job) return true;
        if (job.dueAt === null || leftMs <= 0 || stopping.signal.aborted) return false;
        await within(Math.min(pauseMs, leftMs), running.get(_id)?.ended ?? looking ?? never);
      }
    },

    /** Starts running jobs, also the periodic ones. */
    start(): void {
      isStarted = true;
      wake();
    },

    /** Interrupts all jobs; they continue in another process or after the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await looking;
      await Promise.all(Array.from(running.values(), ({ ended }) => ended));
    },

    /** Dead letters, the oldest first. */
    listDead: () => model.find({ dueAt: null }).sort({ order: 1 }).limit(maxDead).lean(),

    /** Runs a dead letter again, with all attempts. false if there is none with this id. */
    async revive(id: string): Promise<boolean> {
      const fresh = { dueAt: at(0), order: nextOrder(), attempts: 0 };
      const { matchedCount } = await model.updateOne({ _id: id, dueAt: null }, { $set: fresh });
      wake();
      return matchedCount === 1;
    },
  };
}

const renewed = { $getField: { field: 'lease.until', input: '$updateDescription.updatedFields' } };
/** Changes of jobs other than claiming one and renewing its lease. */
const otherThanHeartbeats = {
  operationType: { $ne: 'delete' },
  'updateDescription.updatedFields.lease': null,
  $expr: { $eq: [{ $type: renewed }, 'missing'] },
};

export interface NewJob {
  /** Default '': the only job of its kind. */
  key?: string;
  queue?: string | null;
  data?: unknown;
  delayMs?: number;
}

function idOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}

const fields = {
  /** `<kind> <key>` */
  _id: required(String),
  kind: required(String),
  key: field(String),
  /** Jobs of one queue run one after the other; null for independent jobs. */
  queue: nullable(String),
  data: field<unknown>({ type: Object, default: null }),
  /** Position in its queue: the time at which it was first due. */
  order: required(Date),
  /** When it runs; while it runs, the end of its lease; null after its last attempt, until it is run again. */
  dueAt: nullable(Date),
  /** The process that runs it. */
  lease: nullable(leaseSchema),
  /** Its queue while it runs: the index on it lets one job of a queue run. */
  running: optional(String),
  /** Counts requests: a job that is requested while it runs will run again. */
  requests: withDefault(1),
  attempts: withDefault(0),
  /** Message of the last failure. */
  failure: withDefault(''),
};

/** Work that is still to be done; deleted once it is done, unless it is periodic. All times are those of the database. */
export type JobDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<JobDocument>('Job', 'jobs', fields);
schema.index({ dueAt: 1 });
schema.index({ queue: 1, order: 1 });
schema.index({ running: 1 }, { unique: true, ...onlyWith('running') });

export type JobModel = Model<JobDocument>;
export const createJobModel = create;
